"""Units of measure with their factors, and the names of the months. English and Portuguese."""

import re

_UNITS = {
    "s": ("ns:1e-9 nanosecond:1e-9 nanoseconds:1e-9 µs:1e-6 microsecond:1e-6 microseconds:1e-6 "
          "ms:0.001 millisecond:0.001 milliseconds:0.001 milissegundo:0.001 milissegundos:0.001 s:1 sec:1 secs:1 "
          "second:1 seconds:1 "
          "segundo:1 segundos:1 min:60 mins:60 minute:60 minutes:60 minuto:60 minutos:60 h:3600 hour:3600 hours:3600 "
          "hora:3600 horas:3600 day:86400 days:86400 dia:86400 dias:86400 week:604800 weeks:604800 "
          "semana:604800 semanas:604800"),
    "byte": ("byte:1 bytes:1 kb:1e3 kilobyte:1e3 kilobytes:1e3 kib:1024 mb:1e6 megabyte:1e6 megabytes:1e6 mib:1048576 "
             "gb:1e9 gigabyte:1e9 gigabytes:1e9 gib:1073741824 tb:1e12 terabyte:1e12 terabytes:1e12 tib:1099511627776"),
    "m": ("mm:0.001 millimeter:0.001 millimeters:0.001 millimetre:0.001 millimetres:0.001 milímetro:0.001 "
          "milímetros:0.001 cm:0.01 centimeter:0.01 centimeters:0.01 centimetre:0.01 centimetres:0.01 centímetro:0.01 "
          "centímetros:0.01 m:1 meter:1 meters:1 metre:1 metres:1 metro:1 metros:1 km:1000 kilometer:1000 "
          "kilometers:1000 kilometre:1000 kilometres:1000 quilômetro:1000 quilômetros:1000 quilómetro:1000 "
          "quilómetros:1000 mile:1609.34 miles:1609.34 milha:1609.34 milhas:1609.34 yard:0.9144 yards:0.9144 "
          "ft:0.3048 foot:0.3048 feet:0.3048 inch:0.0254 inches:0.0254 polegada:0.0254 polegadas:0.0254"),
    "g": ("mg:0.001 miligrama:0.001 miligramas:0.001 g:1 gram:1 grams:1 gramme:1 grammes:1 grama:1 gramas:1 kg:1000 "
          "kilogram:1000 kilograms:1000 kilo:1000 kilos:1000 quilo:1000 quilos:1000 quilograma:1000 quilogramas:1000 "
          "lb:453.6 lbs:453.6 pounds:453.6 ton:1e6 tons:1e6 tonne:1e6 tonnes:1e6 tonelada:1e6 toneladas:1e6"),
    "l": ("ml:0.001 milliliter:0.001 milliliters:0.001 millilitre:0.001 millilitres:0.001 mililitro:0.001 "
          "mililitros:0.001 cl:0.01 l:1 liter:1 liters:1 litre:1 litres:1 litro:1 litros:1"),
    "year": ("year:1 years:1 ano:1 anos:1 month:0.083333333333 months:0.083333333333 mês:0.083333333333 "
             "meses:0.083333333333 decade:10 decades:10 década:10 décadas:10 century:100 século:100"),
    "%": "%:1 percent:1 per-cent:1 percentage:1 por-cento:1",
    "$": "$:1 us$:1 usd:1 dollar:1 dollars:1 dólar:1 dólares:1",
    "€": "€:1 eur:1 euro:1 euros:1",
    "£": "£:1 gbp:1",
    "r$": "r$:1 brl:1 reais:1 real:1",
}  # fmt: skip
UNITS = {
    name: (kind, float(factor))
    for kind, line in _UNITS.items()
    for name, factor in (pair.rsplit(":", 1) for pair in line.split())
}
"""Unit as written -> (canonical unit, factor)."""
CANONICAL = frozenset(_UNITS)
"""The canonical units, in which things are measured and not counted."""
ANY_UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
"""A pattern for each of them, the longest first."""
MEASURES = frozenset(
    name for name, (kind, _) in UNITS.items() if kind in ("byte", "$", "€", "£") or (kind == "s" and len(name) > 3)
)
"""Those of data, money and time that are no name in capitals either: "MiB", "EUR", "Minutes", but not "SEC"."""
MONEY = frozenset(["$", "€", "£", "r$"])
"""The canonical units that are money."""
CURRENCIES = tuple(frozenset(name for name, (unit, _) in UNITS.items() if unit == one) for one in sorted(MONEY))
"""The names of each kind of money."""
_POUNDS = frozenset(["£", "gbp", "pound", "pounds"])
HUNDREDTHS = {
    **dict.fromkeys(("p", "pence", "penny"), _POUNDS),
    **dict.fromkeys(
        ("¢", "cent", "cents", "centavo", "centavos", "cêntimo", "cêntimos"), frozenset().union(*CURRENCIES) - _POUNDS
    ),
}
"""Names of a hundredth of money -> the names of what it is a hundredth of."""


def conversion(unit: str, other: str) -> float | None:
    """What a number in ``unit`` is multiplied by to tell it in ``other``; None where they do not measure the same."""
    if other in HUNDREDTHS.get(unit, ()):
        return 0.01
    if unit in HUNDREDTHS.get(other, ()):
        return 100.0
    (measure, factor), (wanted, size) = UNITS.get(unit, ("", 1.0)), UNITS.get(other, ("", 1.0))
    return factor / size if measure and measure == wanted else None


_NAMES_PT = "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"
MONTHS_PT = tuple(_NAMES_PT.split())
MONTHS = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        _NAMES_PT,
    )
    for number, name in enumerate(names.split(), 1)
}
"""Name of a month, or its abbreviation -> its number."""
ANY_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
"""A pattern for each of them, the longest first."""
WEEKDAYS_PT = ("segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo")
WEEKDAYS = frozenset(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", *WEEKDAYS_PT))
