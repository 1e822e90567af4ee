// The first sheet of an Excel workbook (Office Open XML) as CSV: zip by zlib, XML by expat, which is opened on first
// use. Cells that are formatted as dates become dates such as 2024-05-01.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "suffice/read/rewritten.hpp"
#include "suffice/read/shared_library.hpp"
#include "suffice/read/zip_entry.hpp"

namespace suffice {
namespace {

constexpr std::size_t sheet_piece = std::size_t{1} << 16;

// Expat's C interface, whose form has not changed since 2001.
class XmlReader {
public:
    using Attributes = std::map<std::string_view, std::string_view>;
    std::function<void(std::string_view name, const Attributes& attributes)> start;
    std::function<void(std::string_view name)> end;
    std::function<void(std::string_view text)> text;

    static Result<std::unique_ptr<XmlReader>> make() {
        static void* const library = open_shared_library({"libexpat.so.1", "libexpat.so", "libexpat.dylib"});
        if (library == nullptr)
            return Error(
                "Excel files need the library expat, libexpat.so.1, which was not found; install it, or save the "
                "sheet as CSV");
        return std::unique_ptr<XmlReader>(new XmlReader(library));
    }
    ~XmlReader() { free_(parser_); }
    XmlReader(const XmlReader&) = delete;
    XmlReader& operator=(const XmlReader&) = delete;
    bool feed(std::string_view piece, bool last) {
        return parse_(parser_, piece.data(), static_cast<int>(piece.size()), last ? 1 : 0) == 1;
    }

private:
    explicit XmlReader(void* library)
        : parse_(function_of<int(void*, const char*, int, int)>(library, "XML_Parse")),
          free_(function_of<void(void*)>(library, "XML_ParserFree")),
          parser_(function_of<void*(const char*)>(library, "XML_ParserCreate")("UTF-8")) {
        function_of<void(void*, void*)>(library, "XML_SetUserData")(parser_, this);
        function_of<void(void*, void (*)(void*, const char*, const char**), void (*)(void*, const char*))>(
            library, "XML_SetElementHandler")(parser_, &started, &ended);
        function_of<void(void*, void (*)(void*, const char*, int))>(library, "XML_SetCharacterDataHandler")(parser_,
                                                                                                            &texted);
    }
    // Names come with a prefix or without.
    static std::string_view local(std::string_view name) { return name.substr(name.find(':') + 1); }
    static void started(void* self, const char* name, const char** given) {
        Attributes attributes;
        for (; *given != nullptr; given += 2) attributes[given[0]] = given[1];
        if (const auto& call = static_cast<XmlReader*>(self)->start) call(local(name), attributes);
    }
    static void ended(void* self, const char* name) {
        if (const auto& call = static_cast<XmlReader*>(self)->end) call(local(name));
    }
    static void texted(void* self, const char* text, int size) {
        if (const auto& call = static_cast<XmlReader*>(self)->text) call({text, static_cast<std::size_t>(size)});
    }

    int (*parse_)(void*, const char*, int, int);
    void (*free_)(void*);
    void* parser_;
};

std::string_view attribute(const XmlReader::Attributes& all, std::string_view name) {
    const auto found = all.find(name);
    return found == all.end() ? std::string_view{} : found->second;
}

std::uint64_t whole_of(std::string_view text) {
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

// Whether a format of numbers shows dates or times: letters for them outside of quotes and brackets.
bool shows_dates(std::string_view format) {
    bool quoted = false, bracketed = false;
    for (std::size_t at = 0; at < format.size(); ++at) {
        const char byte = format[at];
        if (byte == '"')
            quoted = !quoted;
        else if (byte == '\\')
            ++at;
        else if (byte == '[')
            bracketed = true;
        else if (byte == ']')
            bracketed = false;
        else if (!quoted && !bracketed && std::string_view("yYdDhHsS").find(byte) != std::string_view::npos)
            return true;
    }
    return false;
}

bool shows_dates(std::uint64_t format) {
    return (format >= 14 && format <= 22) || (format >= 27 && format <= 36) || (format >= 45 && format <= 47) ||
           (format >= 50 && format <= 58);
}

// Days since the end of 1899 (as Excel counts, which takes 1900 for a leap year) to 2024-05-01 or 2024-05-01 13:45:00.
std::string date_text(double serial, bool from_1904) {
    const double days = std::floor(serial + 1e-9) + (from_1904 ? 1462 : 0);
    // From days to a date of the Gregorian calendar (Hinnant 2013).
    const auto z = static_cast<std::int64_t>(days) - 25569 + 719468;
    const std::int64_t era = (z >= 0 ? z : z - 146096) / 146097, in_era = z - era * 146097;
    const std::int64_t year_of_era = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    const std::int64_t in_year = in_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const std::int64_t month_place = (5 * in_year + 2) / 153, day = in_year - (153 * month_place + 2) / 5 + 1;
    const std::int64_t month = month_place < 10 ? month_place + 3 : month_place - 9;
    const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
    const auto two = [](std::int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); };
    std::string text = std::to_string(year) + "-" + two(month) + "-" + two(day);
    const auto seconds = static_cast<std::int64_t>(std::llround((serial - std::floor(serial + 1e-9)) * 86400));
    if (seconds > 0 && seconds < 86400)
        text += " " + two(seconds / 3600) + ":" + two(seconds / 60 % 60) + ":" + two(seconds % 60);
    return text;
}

struct Workbook {
    std::string sheet;  // its entry in the archive
    bool from_1904 = false;
    std::vector<std::string> words;    // shared by cells
    std::vector<bool> dates_of_style;  // by a cell's style
};

Result<void> parse_whole(const ZipArchive& archive, std::string_view entry, XmlReader& xml, const std::string& path) {
    const auto text = archive.whole(entry);
    if (!text) return text.error();
    if (!xml.feed(*text, true)) return Error("the workbook's " + std::string(entry) + " is damaged").in_file(path);
    return {};
}

Result<void> find_sheet(const ZipArchive& archive, const std::string& path, Workbook& book) {
    auto xml = XmlReader::make();
    if (!xml) return Error(xml.error()).in_file(path);
    std::string id;
    (*xml)->start = [&](std::string_view name, const XmlReader::Attributes& all) {
        if (name == "workbookPr")
            book.from_1904 = attribute(all, "date1904") == "1" || attribute(all, "date1904") == "true";
        if (name == "sheet" && id.empty()) id = attribute(all, "r:id");
    };
    if (auto done = parse_whole(archive, "xl/workbook.xml", **xml, path); !done) return done;
    auto relations = XmlReader::make();
    (*relations)->start = [&](std::string_view name, const XmlReader::Attributes& all) {
        if (name != "Relationship" || attribute(all, "Id") != id) return;
        const std::string target(attribute(all, "Target"));
        book.sheet = target.starts_with('/') ? target.substr(1) : "xl/" + target;
    };
    if (auto done = parse_whole(archive, "xl/_rels/workbook.xml.rels", **relations, path); !done) return done;
    if (!archive.holds(book.sheet)) return Error("the workbook has no sheet").in_file(path);
    return {};
}

Result<void> read_words(const ZipArchive& archive, const std::string& path, Workbook& book) {
    if (!archive.holds("xl/sharedStrings.xml")) return {};
    auto xml = XmlReader::make();
    bool inside = false, spoken = false;  // how words are spoken is not part of them
    (*xml)->start = [&](std::string_view name, const XmlReader::Attributes&) {
        if (name == "si") book.words.emplace_back();
        inside |= name == "t";
        spoken |= name == "rPh";
    };
    (*xml)->end = [&](std::string_view name) {
        if (name == "t") inside = false;
        if (name == "rPh") spoken = false;
    };
    (*xml)->text = [&](std::string_view text) {
        if (inside && !spoken && !book.words.empty()) book.words.back() += text;
    };
    return parse_whole(archive, "xl/sharedStrings.xml", **xml, path);
}

Result<void> read_styles(const ZipArchive& archive, const std::string& path, Workbook& book) {
    if (!archive.holds("xl/styles.xml")) return {};
    auto xml = XmlReader::make();
    std::set<std::uint64_t> own;
    bool cells = false;
    (*xml)->start = [&](std::string_view name, const XmlReader::Attributes& all) {
        if (name == "numFmt" && shows_dates(attribute(all, "formatCode")))
            own.insert(whole_of(attribute(all, "numFmtId")));
        cells |= name == "cellXfs";
        if (name != "xf" || !cells) return;
        const std::uint64_t format = whole_of(attribute(all, "numFmtId"));
        book.dates_of_style.push_back(shows_dates(format) || own.contains(format));
    };
    (*xml)->end = [&](std::string_view name) {
        if (name == "cellXfs") cells = false;
    };
    return parse_whole(archive, "xl/styles.xml", **xml, path);
}

class SheetRows final : public RowMaker {
public:
    SheetRows(std::unique_ptr<ByteSource> bytes, std::unique_ptr<XmlReader> xml, Workbook book, std::string path)
        : bytes_(std::move(bytes)), xml_(std::move(xml)), book_(std::move(book)), path_(std::move(path)) {
        xml_->start = [this](std::string_view name, const XmlReader::Attributes& all) { start(name, all); };
        xml_->end = [this](std::string_view name) { end(name); };
        xml_->text = [this](std::string_view text) {
            if (inside_) cell_ += text;
        };
    }
    Result<bool> next(std::string& csv) override {
        while (made_.empty() && !ended_) {
            std::string piece(sheet_piece, '\0');
            const auto got = bytes_->read(piece.data(), piece.size());
            if (!got) return got.error();
            piece.resize(*got);
            ended_ = *got < sheet_piece;
            if (!xml_->feed(piece, ended_)) return Error("the workbook's sheet is damaged").in_file(path_);
        }
        csv += made_;
        made_.clear();
        return !csv.empty();
    }
    std::uint64_t consumed() const override { return bytes_->consumed(); }

private:
    void start(std::string_view name, const XmlReader::Attributes& all) {
        if (name == "row") {
            row_.clear();
            const std::uint64_t number = whole_of(attribute(all, "r"));
            // Rows that are empty are not written; lines keep their numbers all the same.
            for (; number > 0 && line_ + 1 < number && line_ < 10'000'000; ++line_) made_ += '\n';
        } else if (name == "c") {
            place_ = column_of(attribute(all, "r"));
            type_ = attribute(all, "t");
            style_ = whole_of(attribute(all, "s"));
            cell_.clear();
        }
        inside_ = name == "v" || name == "t";
    }
    void end(std::string_view name) {
        inside_ = false;
        if (name == "c") {
            if (row_.size() <= place_) row_.resize(place_ + 1);
            row_[place_] = value();
        } else if (name == "row") {
            put_row();
        }
    }
    // B2 is in column 1; a cell without a place follows the one before.
    std::size_t column_of(std::string_view place) const {
        std::size_t column = 0;
        for (const char byte : place) {
            if (byte < 'A' || byte > 'Z') break;
            column = column * 26 + static_cast<std::size_t>(byte - 'A' + 1);
        }
        return column == 0 ? row_.size() : std::min<std::size_t>(column - 1, 1 << 14);
    }
    std::string value() {
        if (type_ == "s") {
            const std::uint64_t word = whole_of(cell_);
            return word < book_.words.size() ? book_.words[word] : "";
        }
        if (type_ == "b") return cell_ == "1" ? "true" : "false";
        if (type_ == "e") return "";
        const bool number = type_.empty() || type_ == "n";
        if (!number || cell_.empty() || style_ >= book_.dates_of_style.size() || !book_.dates_of_style[style_])
            return cell_;
        double serial = 0;
        const auto read = std::from_chars(cell_.data(), cell_.data() + cell_.size(), serial);
        return read.ec == std::errc{} && std::abs(serial) < 3e6 ? date_text(serial, book_.from_1904) : cell_;
    }
    void put_row() {
        ++line_;
        while (!row_.empty() && row_.back().empty()) row_.pop_back();
        if (row_.empty()) {
            made_ += '\n';
            return;
        }
        width_ = std::max(width_, headed_ ? width_ : row_.size());
        headed_ = true;
        if (row_.size() < width_) row_.resize(width_);
        for (std::size_t k = 0; k < row_.size(); ++k) append_csv_cell(made_, row_[k], k == 0);
        made_ += '\n';
    }

    std::unique_ptr<ByteSource> bytes_;
    std::unique_ptr<XmlReader> xml_;
    Workbook book_;
    std::string path_, made_, cell_, type_;
    std::vector<std::string> row_;
    std::size_t place_ = 0, width_ = 0;
    std::uint64_t style_ = 0, line_ = 0;
    bool inside_ = false, headed_ = false, ended_ = false;
};

}  // namespace

Result<RewrittenRows> rewrite_workbook(const std::string& path) {
    const auto archive = ZipArchive::open(path);
    if (!archive) return archive.error();
    if (!archive->holds("xl/workbook.xml"))
        return Error(archive->holds("content.xml") ? "the file is an OpenDocument; save the sheet as CSV or xlsx"
                     : archive->holds("word/document.xml") || archive->holds("ppt/presentation.xml")
                         ? "the file is an office document without a sheet; save its table as CSV or xlsx"
                         : "the file is a zip archive; unpack it first")
            .in_file(path);
    Workbook book;
    if (auto found = find_sheet(*archive, path, book); !found) return found.error();
    if (auto read = read_words(*archive, path, book); !read) return read.error();
    if (auto read = read_styles(*archive, path, book); !read) return read.error();
    auto bytes = archive->entry(book.sheet);
    if (!bytes) return bytes.error();
    auto xml = XmlReader::make();
    if (!xml) return xml.error();
    return RewrittenRows{csv_of(std::make_unique<SheetRows>(std::move(*bytes), std::move(*xml), std::move(book), path)),
                         0};
}

}  // namespace suffice
