"""A bar chart of how many times as long the rivals take, as SVG: one bar per rival and case, on a logarithmic axis."""
import math

from bench.contest import Entry

WIDTH, LABEL, BAR, GAP = 900, 430, 14, 6
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"]  # Okabe and Ito: told apart by everyone


def ratios(entries: list[Entry]) -> list[tuple[str, str, float]]:
    """(case, rival, rival's time in units of ours)"""
    ours: dict[tuple[str, str], float] = {}
    rows = []
    for entry in entries:
        first = ours.setdefault((entry.task, entry.case), entry.seconds)
        if entry.seconds is not first and not math.isnan(entry.seconds) and first > 0:
            rows.append((f"{entry.task}: {entry.case}", entry.contender, entry.seconds / first))
    return rows


def chart(entries: list[Entry]) -> str:
    rows = ratios(entries)
    if not rows:
        return '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n'
    rivals = sorted({rival for _, rival, _ in rows})
    low = min(0.5, *(ratio for *_, ratio in rows))
    high = max(10.0, *(ratio for *_, ratio in rows)) * 1.1
    span = WIDTH - LABEL - 70

    def place(ratio: float) -> float:
        return LABEL + span * (math.log(ratio) - math.log(low)) / (math.log(high) - math.log(low))

    height = 60 + len(rows) * (BAR + GAP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
           'font-family="sans-serif" font-size="11"><title>Time of rivals in units of ours</title>'
           f'<rect width="{WIDTH}" height="{height}" fill="white"/>']
    for k, rival in enumerate(rivals):
        out.append(f'<rect x="{LABEL + 150 * k}" y="8" width="12" height="12" fill="{COLOURS[k % len(COLOURS)]}"/>'
                   f'<text x="{LABEL + 150 * k + 17}" y="18">{rival}</text>')
    for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        if low <= tick <= high:
            out.append(f'<line x1="{place(tick):.1f}" x2="{place(tick):.1f}" y1="30" y2="{height - 22}" '
                       f'stroke="{"black" if tick == 1 else "#dddddd"}"/>'
                       f'<text x="{place(tick):.1f}" y="{height - 8}" text-anchor="middle">{tick:g}x</text>')
    for k, (case, rival, ratio) in enumerate(rows):
        y = 34 + k * (BAR + GAP)
        left, right = sorted((place(1), place(ratio)))
        shown = case if len(case) < 68 else case[:66] + "..."
        out.append(f'<text x="{LABEL - 8}" y="{y + 11}" text-anchor="end">{shown}</text>'
                   f'<rect x="{left:.1f}" y="{y}" width="{max(right - left, 1):.1f}" height="{BAR}" '
                   f'fill="{COLOURS[rivals.index(rival) % len(COLOURS)]}"/>'
                   f'<text x="{right + 4:.1f}" y="{y + 11}">{ratio:.3g}x</text>')
    return "\n".join(out) + "\n</svg>\n"
