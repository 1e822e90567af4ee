// Lists the documents of class folders, and reads them in units.
#include "suffice/read/folders.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include <sys/stat.h>

namespace suffice {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t text_column = 0, class_column = 1;
constexpr std::size_t readable_past = 64;

struct Entries {
    std::vector<std::string> folders;
    std::vector<std::pair<std::string, std::uint64_t>> files;  // with their sizes
    bool tables = false;
};

bool names_table(std::string_view name) {
    constexpr std::array<std::string_view, 6> endings{".csv", ".tsv", ".tab", ".parquet", ".arrow", ".feather"};
    for (const std::string_view packed : {".gz", ".zst"})
        if (name.ends_with(packed)) name.remove_suffix(packed.size());
    return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

Result<Entries> entries_of(const std::string& directory) {
    const auto failed = [&] {
        return Error("the directory cannot be read: " + std::string(std::strerror(errno))).in_file(directory);
    };
    DIR* open = ::opendir(directory.c_str());
    if (open == nullptr) return failed();
    Entries found;
    while (const dirent* entry = ::readdir(open)) {
        const std::string name = entry->d_name;
        struct stat about{};
        if (name.starts_with('.') || ::fstatat(::dirfd(open), name.c_str(), &about, 0) != 0) continue;
        if (S_ISDIR(about.st_mode)) found.folders.push_back(name);
        if (!S_ISREG(about.st_mode)) continue;
        found.files.emplace_back(name, static_cast<std::uint64_t>(about.st_size));
        found.tables = found.tables || names_table(name);
    }
    ::closedir(open);
    std::ranges::sort(found.folders);
    std::ranges::sort(found.files);
    return found;
}

struct ListedDocument {
    std::uint32_t folder = 0;
    std::string name;
    std::uint64_t bytes = 0;
};

struct Folder {
    std::uint32_t root = 0;
    std::string path, of_class;
};

// Views keep their places while more is appended, because the memory is asked for before anything is viewed.
struct DocumentMemory final : UnitMemory {
    std::size_t first = 0;  // document
    std::string bytes;
};

class FolderReader final : public TableReader {
public:
    FolderReader(std::vector<std::string> roots, const ReadOptions& options, std::size_t unit_bytes)
        : roots_(std::move(roots)), latin1_(options.latin1), unit_bytes_(unit_bytes) {
        columns_.resize(2);
        columns_[text_column].name = "text";
        columns_[text_column].kind = ColumnKind::text;
        columns_[class_column].name = std::string(class_folders_target);
        columns_[class_column].kind = ColumnKind::category;
    }
    Result<void> open();

    const std::vector<FoundColumn>& columns() const override { return columns_; }
    const std::vector<std::string>& files() const override { return roots_; }
    void want(std::uint32_t column, bool wanted, ColumnKind) override { wanted_[column] = wanted; }
    Result<bool> draw(TableUnit& unit) override;
    Result<void> decode(TableUnit& unit) const override;
    Result<void> rewind() override {
        next_ = 0;
        index_ = 0;
        bytes_seen_ = 0;
        return {};
    }
    Progress progress() const override { return {next_.load(), bytes_seen_.load(), total_bytes_}; }
    std::uint64_t skipped_rows() const override { return 0; }

private:
    Result<void> append(const ListedDocument& document, std::string& into) const;

    std::vector<std::string> roots_;
    bool latin1_;
    std::size_t unit_bytes_;
    std::vector<FoundColumn> columns_;
    std::array<bool, 2> wanted_{true, true};
    std::vector<Folder> folders_;
    std::vector<ListedDocument> documents_;
    std::atomic<std::uint64_t> next_{0}, bytes_seen_{0};
    std::uint64_t index_ = 0, total_bytes_ = 0;
};

Result<void> FolderReader::open() {
    for (std::uint32_t root = 0; root < roots_.size(); ++root) {
        const auto inside = entries_of(roots_[root]);
        if (!inside) return inside.error();
        for (const auto& name : inside->folders) {
            Folder folder{root, (fs::path(roots_[root]) / name).string(), name};
            const auto files = entries_of(folder.path);
            if (!files) return files.error();
            for (const auto& [file, bytes] : files->files) {
                documents_.push_back({static_cast<std::uint32_t>(folders_.size()), file, bytes});
                total_bytes_ += bytes;
            }
            folders_.push_back(std::move(folder));
        }
    }
    if (documents_.empty()) return Error("the folders hold no documents").in_file(roots_.front());
    columns_[text_column].example = documents_.front().name;
    columns_[class_column].example = folders_.front().of_class;
    return {};
}

Result<bool> FolderReader::draw(TableUnit& unit) {
    const std::uint64_t first = next_;
    if (first == documents_.size()) return false;
    auto* memory = dynamic_cast<DocumentMemory*>(unit.memory.get());
    if (memory == nullptr) {
        auto fresh = std::make_unique<DocumentMemory>();
        memory = fresh.get();
        unit.memory = std::move(fresh);
    }
    memory->first = first;
    std::uint64_t last = first, bytes = 0;
    while (last < documents_.size() && bytes < unit_bytes_) bytes += documents_[last++].bytes;
    unit.index = index_++;
    unit.first_row = first;
    unit.first_line = first + 1;
    unit.file = folders_[documents_[first].folder].root;
    unit.row_count = last - first;
    unit.skipped_before.clear();
    next_ = last;
    bytes_seen_ += bytes;
    return true;
}

Result<void> FolderReader::append(const ListedDocument& document, std::string& into) const {
    const std::string path = (fs::path(folders_[document.folder].path) / document.name).string();
    const auto failed = [&](const char* doing) {
        return Error("the document cannot be " + std::string(doing) + ": " + std::strerror(errno)).in_file(path);
    };
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return failed("opened");
    const std::size_t start = into.size();
    for (std::size_t piece = document.bytes + 1;;) {  // one more byte than listed shows the end at once
        const std::size_t size = into.size();
        into.resize(size + piece);
        const auto got = ::read(file, into.data() + size, piece);
        into.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            const auto error = failed("read");
            ::close(file);
            return error;
        }
        if (got == 0 || static_cast<std::size_t>(got) < piece) break;
    }
    ::close(file);
    const auto is_ascii = [](char byte) { return static_cast<unsigned char>(byte) < 0x80; };
    if (!latin1_ || std::all_of(into.begin() + static_cast<std::ptrdiff_t>(start), into.end(), is_ascii)) return {};
    const std::string raw = into.substr(start);
    into.resize(start);
    for (const char byte : raw) {
        if (!is_ascii(byte)) into += static_cast<char>(0xC0 | static_cast<unsigned char>(byte) >> 6);
        into += is_ascii(byte) ? byte : static_cast<char>(0x80 | (byte & 0x3F));
    }
    return {};
}

Result<void> FolderReader::decode(TableUnit& unit) const {
    auto& memory = dynamic_cast<DocumentMemory&>(*unit.memory);
    std::string& bytes = memory.bytes;
    bytes.clear();
    std::vector<std::size_t> end;
    for (std::size_t row = 0; row < unit.row_count; ++row) {
        if (wanted_[text_column])
            if (auto added = append(documents_[memory.first + row], bytes); !added) return added;
        end.push_back(bytes.size());
    }
    std::vector<std::size_t> class_start;
    for (std::size_t row = 0; row < unit.row_count; ++row) {
        const std::uint32_t folder = documents_[memory.first + row].folder;
        const bool same = row > 0 && folder == documents_[memory.first + row - 1].folder;
        class_start.push_back(same ? class_start.back() : bytes.size());
        if (!same) bytes += folders_[folder].of_class;
    }
    bytes.append(readable_past, '\0');
    unit.columns.resize(2);
    Cells &text = unit.columns[text_column], &classes = unit.columns[class_column];
    text.kind = ColumnKind::text;
    classes.kind = ColumnKind::category;
    text.words.resize(unit.row_count);
    classes.words.resize(unit.row_count);
    for (std::size_t row = 0; row < unit.row_count; ++row) {
        const std::size_t start = row == 0 ? 0 : end[row - 1];
        text.words[row] = {bytes.data() + start, end[row] - start};
        classes.words[row] = {bytes.data() + class_start[row],
                              folders_[documents_[memory.first + row].folder].of_class.size()};
    }
    return {};
}

}  // namespace

bool are_class_folders(const std::vector<std::string>& names) {
    const auto holds_folders = [](const std::string& name) {
        std::error_code ignored;
        if (name == "-" || !fs::is_directory(name, ignored)) return false;
        const auto inside = entries_of(name);
        if (!inside || inside->tables) return false;
        std::size_t with_files = 0;
        for (const auto& folder : inside->folders) {
            const auto files = entries_of((fs::path(name) / folder).string());
            with_files += files && !files->files.empty();
            if (with_files == 2) return true;
        }
        return false;
    };
    return !names.empty() && std::ranges::all_of(names, holds_folders);
}

Result<std::unique_ptr<TableReader>> open_folders(std::vector<std::string> names, const ReadOptions& options,
                                                  std::size_t unit_bytes) {
    auto reader = std::make_unique<FolderReader>(std::move(names), options, unit_bytes);
    if (auto opened = reader->open(); !opened) return opened.error();
    return std::unique_ptr<TableReader>(std::move(reader));
}

}  // namespace suffice
