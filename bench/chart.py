"""Charts of the results as SVG: how many times as long the rivals take, and how time and memory grow."""
import math

from bench.contest import Entry

WIDTH, LABEL, RIGHT, BAR, GAP = 1040, 430, 210, 14, 6
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"]  # Okabe and Ito: told apart by everyone
PANEL_WIDTH, PANEL_HEIGHT, MARGIN = 300, 190, 56


def ratios(entries: list[Entry]) -> list[tuple[str, str, float]]:
    """(case, rival, rival's time in units of ours)"""
    ours: dict[tuple[str, str], Entry] = {}
    rows = []
    for entry in entries:
        first = ours.setdefault((entry.task, entry.case), entry)
        if entry is not first and first.seconds > 0 and entry.seconds > 0 and not entry.contender.startswith("suffice"):
            rows.append((f"{entry.task}: {entry.case}", entry.contender, entry.seconds / first.seconds))
    return rows


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def opened(width: int, height: int, title: str) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'font-family="sans-serif" font-size="11"><title>{title}</title><rect width="{width}" height="{height}" fill="white"/>')


def chart(entries: list[Entry]) -> str:
    """One bar per rival and case, on a logarithmic axis."""
    rows = ratios(entries)
    if not rows:
        return '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n'
    rivals = sorted({rival for _, rival, _ in rows})
    low = min(0.5, *(ratio for *_, ratio in rows))
    high = max(10.0, *(ratio for *_, ratio in rows)) * 1.1
    span = WIDTH - LABEL - RIGHT

    def place(ratio: float) -> float:
        return LABEL + span * (math.log(ratio) - math.log(low)) / (math.log(high) - math.log(low))

    top = 10
    height = top + 30 + len(rows) * (BAR + GAP)
    out = [opened(WIDTH, height, "Time of rivals in units of ours")]
    for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000):
        if low <= tick <= high:
            out.append(f'<line x1="{place(tick):.1f}" x2="{place(tick):.1f}" y1="{top}" y2="{height - 22}" '
                       f'stroke="{"black" if tick == 1 else "#dddddd"}"/>'
                       f'<text x="{place(tick):.1f}" y="{height - 8}" text-anchor="middle">{tick:g}x</text>')
    for k, (case, rival, ratio) in enumerate(rows):
        y = top + 4 + k * (BAR + GAP)
        left, right = sorted((place(1), place(ratio)))
        shown = case if len(case) < 68 else case[:66] + "..."
        out.append(f'<text x="{LABEL - 8}" y="{y + 11}" text-anchor="end">{escaped(shown)}</text>'
                   f'<rect x="{left:.1f}" y="{y}" width="{max(right - left, 1):.1f}" height="{BAR}" '
                   f'fill="{COLOURS[rivals.index(rival) % len(COLOURS)]}"/>'
                   f'<text x="{right + 4:.1f}" y="{y + 11}">{ratio:.3g}x {escaped(rival)}</text>')
    return "\n".join(out) + "\n</svg>\n"


def powers(values: list[float]) -> tuple[int, int]:
    """The powers of ten that enclose the values, at least one apart."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def panel(x: float, y: float, title: str, axis: str, series: dict[str, list[tuple[float, float]]], contenders: list[str]) -> list[str]:
    """Lines on logarithmic axes; a grey line of slope one shows what linear growth looks like."""
    points = [point for each in series.values() for point in each]
    (left, right), (low, high) = powers([p[0] for p in points]), powers([p[1] for p in points])
    wide, tall = PANEL_WIDTH - MARGIN - 14, PANEL_HEIGHT - 62

    def at(size: float, value: float) -> tuple[float, float]:
        return (x + MARGIN + wide * (math.log10(size) - left) / (right - left),
                y + 24 + tall * (high - math.log10(value)) / (high - low))

    out = [f'<text x="{x + MARGIN}" y="{y + 14}" font-weight="bold">{escaped(title)}</text>',
           f'<text x="{x + MARGIN + wide / 2:.0f}" y="{y + 24 + tall + 30:.0f}" text-anchor="middle">{escaped(axis)}</text>']
    for power in range(low, high + 1):
        y_tick = at(10.0**left, 10.0**power)[1]
        out.append(f'<line x1="{x + MARGIN}" x2="{x + MARGIN + wide}" y1="{y_tick:.1f}" y2="{y_tick:.1f}" stroke="#dddddd"/>'
                   f'<text x="{x + MARGIN - 5}" y="{y_tick + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    for power in range(left, right + 1):
        x_tick = at(10.0**power, 10.0**low)[0]
        out.append(f'<text x="{x_tick:.1f}" y="{y + 24 + tall + 14:.0f}" text-anchor="middle">{10.0**power:g}</text>')
    decades = min(right - left, high - low)
    (x1, y1), (x2, y2) = at(10.0**left, 10.0**low), at(10.0 ** (left + decades), 10.0 ** (low + decades))
    out.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#aaaaaa" stroke-dasharray="4 3"/>')
    for name, each in series.items():
        colour = COLOURS[contenders.index(name) % len(COLOURS)]
        places = [at(*point) for point in sorted(each)]
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in places)}"/>')
        out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in places]
    return out


def growth_chart(entries: list[Entry]) -> str:
    """A column of two panels per axis: seconds, and MB at the peak (in memory: beyond the rows themselves)."""
    placed = [entry for entry in entries if entry.axis and entry.seconds > 0 and not entry.axis.startswith("threads")]
    axes, contenders = list(dict.fromkeys(e.axis for e in placed)), list(dict.fromkeys(e.contender for e in placed))
    width, height = max(len(axes), 1) * PANEL_WIDTH + 10, 30 + 2 * PANEL_HEIGHT
    out = [opened(width, height, "Growth of time and memory")]
    for k, name in enumerate(contenders):
        colour = COLOURS[k % len(COLOURS)]
        out.append(f'<rect x="{20 + 150 * k}" y="6" width="12" height="12" fill="{colour}"/><text x="{37 + 150 * k}" y="16">{escaped(name)}</text>')
    out.append(f'<text x="{20 + 150 * len(contenders)}" y="16" fill="#777777">dashed: linear growth</text>')
    for column, axis in enumerate(axes):
        for row, (title, value) in enumerate((("seconds", lambda e: e.seconds), ("MB at the peak", lambda e: max(e.peak_bytes, 1e5) / 1e6))):
            series: dict[str, list[tuple[float, float]]] = {}
            for entry in placed:
                if entry.axis == axis:
                    series.setdefault(entry.contender, []).append((entry.size, value(entry)))
            out += panel(column * PANEL_WIDTH, 26 + row * PANEL_HEIGHT, title, axis, series, contenders)
    return "\n".join(out) + "\n</svg>\n"
