"""Datasets, metrics, tasks and reports."""
