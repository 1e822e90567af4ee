// Documents as one HTML file: one script of its own, nothing loaded from elsewhere.
#include "suffice/report/document.hpp"
#include "suffice/report/json_text.hpp"
#include "suffice/report/page_script.hpp"
#include "suffice/report/svg.hpp"
#include "suffice/report/theme.hpp"

namespace suffice {
namespace {

// Wide screens have the contents at the side; paper has neither contents nor dark colours.
constexpr const char* page_css =
    "*{box-sizing:border-box}"
    "body{margin:0;background:var(--paper);color:var(--ink);line-height:1.5;font-size:16px;"
    "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
    "a{color:var(--link)}a:focus-visible,summary:focus-visible,[tabindex]:focus-visible"
    "{outline:3px solid var(--link);outline-offset:2px}"
    ".skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--paper);padding:8px}"
    "header,main,footer{max-width:1180px;margin:0 auto;padding:0 24px}"
    "header{padding-top:28px}h1{font-size:1.9rem;line-height:1.2;margin:0 0 4px}"
    "header p,footer,.note{color:var(--soft)}.note{font-weight:400}"
    "nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:4px 18px;padding:10px 0;margin:8px 0 0;"
    "border-top:1px solid var(--line);border-bottom:1px solid var(--line)}"
    "section{padding-top:18px}h2{font-size:1.35rem;margin:18px 0 8px}h3{font-size:1rem;margin:0 0 4px}"
    ".row{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(380px,100%),1fr));gap:18px;align-items:start}"
    "figure{margin:0;padding:12px;background:var(--paper);border:1px solid var(--line);border-radius:8px;"
    "break-inside:avoid}figure svg{display:block;width:100%;height:auto;margin:0 auto}"
    "figcaption{font-size:.86rem;color:var(--soft);padding-top:6px}figcaption b{color:var(--ink)}"
    ".scroll{overflow-x:auto;margin:10px 0 18px}table{border-collapse:collapse;font-size:.9rem;"
    "font-variant-numeric:tabular-nums}"
    "caption{text-align:left;color:var(--soft);padding-bottom:4px}"
    "th,td{padding:4px 20px 4px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}"
    "th{font-weight:600}.r{text-align:right}"
    ".card{border:1px solid var(--line);border-radius:8px;padding:12px;break-inside:avoid}"
    ".card figure{border:0;padding:6px 0 0}.card p{margin:0;font-size:.9rem;overflow-wrap:anywhere}"
    ".heads{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:14px;margin:10px 0 6px}"
    ".headline{border:1px solid var(--line);border-radius:8px;padding:12px 14px;background:var(--panel)}"
    ".headline b{display:block;font-size:1.7rem;line-height:1.15;overflow-wrap:anywhere}"
    ".headline b.words{font-size:1.15rem;line-height:1.7}.headline span{display:block}"
    ".headline small{color:var(--soft)}"
    ".row.one{grid-template-columns:minmax(0,1fr)}"
    ".row.two{grid-template-columns:repeat(auto-fit,minmax(min(440px,100%),1fr))}"
    "th button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer;text-align:inherit}"
    "th[aria-sort=ascending] button::after{content:' \\25B2'}th[aria-sort=descending] button::after{content:' \\25BC'}"
    "tbody tr:hover{background:var(--panel)}button.unfold{margin-top:6px}[hidden]{display:none!important}"
    "select,input,button{font:inherit;color:var(--ink);background:var(--panel);border:1px solid var(--frame);"
    "border-radius:5px;padding:1px 6px}input[type=range]{padding:0;width:220px;vertical-align:middle}"
    ":root:not(.js) .needs-js{display:none}"
    "#told{position:fixed;z-index:9;pointer-events:none;max-width:320px;background:var(--ink);color:var(--paper);"
    "padding:4px 9px;border-radius:5px;font-size:.82rem}"
    "svg[data-x]{cursor:crosshair}"
    "dl{font-size:.9rem}dt{font-weight:600;margin-top:8px}dd{margin:0;overflow-wrap:anywhere}"
    "mark{background:none;color:inherit;font-weight:700;border-bottom:2px solid var(--c1)}"
    "footer{padding:28px 24px;font-size:.86rem}"
    "@media print{body{font-size:11pt}nav,.skip{display:none}header,main,footer{max-width:none;padding:0}"
    ".row{grid-template-columns:1fr 1fr}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    "h2{break-after:avoid}}"
    "@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}";

std::string figure_text(const Figure& figure) {
    return "<figure>" + inline_svg(figure) + "<figcaption><b>" + markup(figure.title) + ".</b> " +
           markup(figure.description) + "</figcaption></figure>\n";
}

struct HtmlWriter {
    std::string out;

    void operator()(const Paragraph& part) { out += "<p>" + markup(part.text) + "</p>\n"; }
    void operator()(const DocumentTable& part) {
        // A table may be wider than the screen: it scrolls by itself, with the keyboard too.
        out += "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + markup(part.caption) +
               "\"><table" + (part.rows.size() > 2 ? " class=\"sorts\"" : "") +
               (part.folded_after > 0 && part.rows.size() > part.folded_after
                    ? " data-fold=\"" + std::to_string(part.folded_after) + "\""
                    : "") +
               ">";
        if (!part.caption.empty()) out += "<caption>" + markup(part.caption) + "</caption>";
        const auto side = [&](std::size_t k) {
            return k < part.sides.size() && part.sides[k] == TextTable::Side::right ? " class=\"r\"" : "";
        };
        out += "<thead><tr>";
        for (std::size_t k = 0; k < part.head.size(); ++k)
            out += std::string("<th scope=\"col\"") + side(k) + ">" + markup(part.head[k]) + "</th>";
        out += "</tr></thead><tbody>";
        for (const auto& row : part.rows) {
            out += "<tr>";
            for (std::size_t k = 0; k < row.size(); ++k)
                out += k == 0 ? "<th scope=\"row\">" + markup(row[k]) + "</th>"
                              : std::string("<td") + side(k) + ">" + markup(row[k]) + "</td>";
            out += "</tr>\n";
        }
        out += "</tbody></table></div>\n";
    }
    void operator()(const Headlines& part) {
        out += "<div class=\"heads\">";
        for (const auto& each : part.cards)
            out += "<div class=\"headline\"><b" + std::string(each.value.size() > 8 ? " class=\"words\"" : "") + ">" +
                   markup(each.value) + "</b><span>" + markup(each.label) + "</span><small>" + markup(each.note) +
                   "</small></div>\n";
        out += "</div>\n";
    }
    void operator()(const Thresholds& part) {
        JsonText json;
        json.open_list({});
        for (const auto& each : part.classes) {
            json.open_record();
            json.text("class", each.name);
            json.number("of_class", each.of_class);
            json.number("of_others", each.of_others);
            json.numbers("threshold", each.threshold);
            json.numbers("right", each.right);
            json.numbers("wrong", each.wrong);
            json.close();
        }
        json.close();
        out += "<div class=\"thresholds needs-js\"><script type=\"application/json\">";
        for (const char letter : json.take()) out += letter == '<' ? std::string("\\u003c") : std::string(1, letter);
        out += "</script></div>\n";
    }
    void operator()(const Figures& part) {
        out += part.figures.size() == 1   ? "<div class=\"row one\">"
               : part.figures.size() == 2 ? "<div class=\"row two\">"
                                          : "<div class=\"row\">";
        for (const auto& figure : part.figures) out += figure_text(figure);
        out += "</div>\n";
    }
    void operator()(const Quotes& part) {
        out += "<h3>" + markup(part.caption) + "</h3><dl>";
        for (const auto& quote : part.quotes) {
            out += "<dt>" + markup(quote.head) + " <span class=\"note\">" + markup(quote.note) + "</span></dt>";
            for (const auto& [before, word, after] : quote.places)
                out += "<dd>\xE2\x80\xA6" + markup(before) + "<mark>" + markup(word) + "</mark>" + markup(after) +
                       "\xE2\x80\xA6</dd>";
        }
        out += "</dl>\n";
    }
    void operator()(const Cards& part) {
        out += part.filtered ? "<div class=\"row filtered\">" : "<div class=\"row\">";
        for (const auto& card : part.cards) {
            out += "<div class=\"card\"" +
                   (part.filtered
                        ? " data-truth=\"" + markup(card.truth) + "\" data-answer=\"" + markup(card.answer) + "\""
                        : std::string()) +
                   "><h3>" + markup(card.head) + "</h3><p>" + markup(card.words) + "</p>";
            for (const auto& figure : card.figures) out += "<figure>" + inline_svg(figure) + "</figure>";
            out += "</div>\n";
        }
        out += "</div>\n";
    }
};

}  // namespace

std::string html_page(const Document& document) {
    HtmlWriter writer;
    writer.out =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        // Nothing may be loaded, and nothing run but the page's own script, so that a report can be trusted like a
        // picture.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
        "'unsafe-inline'; script-src 'sha256-" +
        std::string(page_script_hash()) +
        "'\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>" +
        markup(document.title) + "</title>\n<style>\n" + theme_css() + page_css + "\n" + figure_css() +
        "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header><h1>" +
        markup(document.title) + "</h1><p>" + markup(document.subtitle) + "</p>\n<nav aria-label=\"Contents\"><ul>";
    for (const auto& section : document.sections)
        writer.out += "<li><a href=\"#" + section.id + "\">" + markup(section.title) + "</a></li>";
    writer.out += "</ul></nav></header>\n<main id=\"main\">\n";
    for (const auto& section : document.sections) {
        writer.out += "<section id=\"" + section.id + "\" aria-labelledby=\"" + section.id + "-head\">\n<h2 id=\"" +
                      section.id + "-head\">" + markup(section.title) + "</h2>\n";
        for (const auto& part : section.parts) std::visit([&](const auto& it) { writer(it); }, part);
        writer.out += "</section>\n";
    }
    return writer.out + "</main>\n<footer>Written by suffice.</footer>\n<script>" + std::string(page_script()) +
           "</script>\n</body>\n</html>\n";
}

}  // namespace suffice
