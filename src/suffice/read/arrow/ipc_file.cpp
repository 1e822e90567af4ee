// Arrow IPC (Feather) files by record batch, mapped into memory and let go of again behind what was read.
#include <algorithm>
#include <atomic>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/reader.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "suffice/read/arrow/arrow_cells.hpp"
#include "suffice/read/arrow/arrow_file.hpp"

namespace suffice {
namespace {

// A file as memory. Pages that were looked at count as ours until they are let go; the next look brings them back.
class MappedFile final : public arrow::Buffer {
public:
    static arrow::Result<std::shared_ptr<MappedFile>> open(const std::string& name) {
        const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat about{};
        if (file < 0 || ::fstat(file, &about) != 0) return arrow::Status::IOError("it cannot be opened");
        const auto size = static_cast<std::size_t>(about.st_size);
        void* bytes = ::mmap(nullptr, std::max<std::size_t>(size, 1), PROT_READ, MAP_PRIVATE, file, 0);
        ::close(file);
        if (bytes == MAP_FAILED) return arrow::Status::IOError("it cannot be mapped into memory");
        return std::shared_ptr<MappedFile>(new MappedFile(static_cast<const std::uint8_t*>(bytes), size));
    }
    ~MappedFile() override { ::munmap(memory(), static_cast<std::size_t>(size())); }

    void count(std::size_t bytes) {  // looked at
        constexpr std::size_t most = std::size_t{32} << 20;
        looked_at_ += bytes;
        if (looked_at_ < most) return;
        looked_at_ = 0;
        ::madvise(memory(), static_cast<std::size_t>(size()), MADV_DONTNEED);
    }

private:
    MappedFile(const std::uint8_t* bytes, std::size_t size) : Buffer(bytes, static_cast<std::int64_t>(size)) {}
    void* memory() const { return const_cast<std::uint8_t*>(data()); }
    std::atomic<std::size_t> looked_at_ = 0;
};

class IpcPiece final : public ArrowPiece {
public:
    IpcPiece(std::string file, std::shared_ptr<MappedFile> bytes, arrow::ArrayVector columns,
             std::vector<std::string> names, std::int64_t row_count)
        : file_(std::move(file)),
          bytes_(std::move(bytes)),
          columns_(std::move(columns)),
          names_(std::move(names)),
          row_count_(row_count) {}

    std::int64_t row_count() const override { return row_count_; }

    Result<void> fill(const Batch& batch, std::span<const Wish> wishes) override {
        for (std::size_t k = 0; k < wishes.size(); ++k) {
            auto values = columns_[k]->Slice(batch.first_row, batch.row_count);
            if (const auto sound = values->ValidateFull(); !sound.ok()) return arrow_error(sound, file_);
            *wishes[k].memory = std::move(values);
            bytes_->count(static_cast<std::size_t>(batch.row_count) * sizeof(double));
            if (!wishes[k].kind) continue;
            auto filled = fill_cells(names_[k], **wishes[k].memory, *wishes[k].kind, *wishes[k].cells);
            if (!filled) return filled;
        }
        return {};
    }

private:
    std::string file_;
    std::shared_ptr<MappedFile> bytes_;
    arrow::ArrayVector columns_;
    std::vector<std::string> names_;
    std::int64_t row_count_;
};

class IpcFile final : public ArrowFile {
public:
    static arrow::Result<std::unique_ptr<ArrowFile>> open(const ArrowSource& source) {
        auto made = std::make_unique<IpcFile>();
        made->name_ = source.name;
        ARROW_ASSIGN_OR_RAISE(made->bytes_, MappedFile::open(source.path));
        ARROW_RETURN_NOT_OK(made->open_reader({}));
        made->schema_ = made->reader_->schema();
        return made;
    }
    const arrow::Schema& schema() const override { return *schema_; }
    int piece_count() const override { return reader_->num_record_batches(); }
    Result<std::shared_ptr<ArrowPiece>> open_piece(int piece, const std::vector<int>& fields, std::int64_t) override {
        std::vector<int> sorted = fields;
        std::ranges::sort(sorted);
        if (sorted != included_)
            if (const auto opened = open_reader(sorted); !opened.ok()) return arrow_error(opened, name_);
        const auto batch = reader_->ReadRecordBatch(piece);
        if (!batch.ok()) return arrow_error(batch.status(), name_);
        arrow::ArrayVector columns;
        std::vector<std::string> names;
        for (const int field : fields) {
            columns.push_back((*batch)->column(static_cast<int>(std::ranges::find(sorted, field) - sorted.begin())));
            names.push_back(schema_->field(field)->name());
        }
        return std::shared_ptr<ArrowPiece>(
            std::make_shared<IpcPiece>(name_, bytes_, std::move(columns), std::move(names), (*batch)->num_rows()));
    }

private:
    arrow::Status open_reader(std::vector<int> included) {
        auto options = arrow::ipc::IpcReadOptions::Defaults();
        options.included_fields = included;
        ARROW_ASSIGN_OR_RAISE(reader_, arrow::ipc::RecordBatchFileReader::Open(
                                           std::make_shared<arrow::io::BufferReader>(bytes_), options));
        included_ = std::move(included);
        return {};
    }

    std::string name_;
    std::shared_ptr<MappedFile> bytes_;
    std::shared_ptr<arrow::Schema> schema_;
    std::shared_ptr<arrow::ipc::RecordBatchFileReader> reader_;
    std::vector<int> included_;  // fields that the reader brings
};

}  // namespace

Result<std::unique_ptr<ArrowFile>> open_ipc(const ArrowSource& source) {
    auto opened = IpcFile::open(source);
    if (!opened.ok()) return arrow_error(opened.status(), source.name);
    return std::move(*opened);
}

}  // namespace suffice
