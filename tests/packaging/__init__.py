"""The house as it is shipped: packages, wheel, layers, the offline switch."""
