// Tables and queries of SQLite and DuckDB files as CSV, read by the databases' own libraries.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "suffice/read/rewritten.hpp"
#include "suffice/read/shared_library.hpp"

namespace suffice {
namespace {

constexpr std::size_t database_piece = std::size_t{1} << 18;

// What is asked of one engine: open, run a query, fetch rows.
class Database {
public:
    virtual ~Database() = default;
    virtual Result<void> start(const std::string& query) = 0;
    virtual std::vector<std::string> columns() = 0;
    virtual Result<bool> row(std::vector<std::string>& cells) = 0;  // false: no more
};

std::string quoted_name(const std::string& name) {
    std::string made = "\"";
    for (const char byte : name) made.append(byte == '"' ? 2 : 1, byte);
    return made + "\"";
}

// The two handles and the functions of SQLite's C interface, whose form never changes.
class SqliteDatabase final : public Database {
public:
    static Result<std::unique_ptr<Database>> open(const std::string& path) {
        void* library = open_shared_library({"libsqlite3.so.0", "libsqlite3.so", "libsqlite3.dylib"});
        if (library == nullptr)
            return Error(
                "SQLite files need SQLite's library, libsqlite3.so.0, which was not found; install it, or save the "
                "table as CSV");
        auto made = std::unique_ptr<SqliteDatabase>(new SqliteDatabase(library));
        constexpr int read_only = 1;
        if (made->open_(path.c_str(), &made->handle_, read_only, nullptr) != 0) return made->failure();
        return std::unique_ptr<Database>(std::move(made));
    }
    ~SqliteDatabase() override {
        if (statement_ != nullptr) finalize_(statement_);
        if (handle_ != nullptr) close_(handle_);
    }
    Result<void> start(const std::string& query) override {
        if (statement_ != nullptr) finalize_(statement_);
        statement_ = nullptr;
        if (prepare_(handle_, query.c_str(), -1, &statement_, nullptr) != 0) return failure();
        if (statement_ == nullptr || count_(statement_) == 0) return Error("the query gives no columns");
        return {};
    }
    std::vector<std::string> columns() override {
        std::vector<std::string> names;
        for (int k = 0; k < count_(statement_); ++k) names.emplace_back(name_(statement_, k));
        return names;
    }
    Result<bool> row(std::vector<std::string>& cells) override {
        constexpr int has_row = 100, done = 101, is_float = 2, is_null = 5;
        const int got = step_(statement_);
        if (got == done) return false;
        if (got != has_row) return failure();
        cells.resize(static_cast<std::size_t>(count_(statement_)));
        for (int k = 0; k < count_(statement_); ++k) {
            std::string& cell = cells[static_cast<std::size_t>(k)];
            cell.clear();
            const int type = type_(statement_, k);
            if (type == is_null) continue;
            if (type == is_float) {  // as text SQLite keeps 15 digits only
                std::array<char, 32> digits{};
                const double number = number_(statement_, k);
                const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
                cell.assign(digits.data(), end);
            } else {
                const char* text = reinterpret_cast<const char*>(text_(statement_, k));
                cell.assign(text, static_cast<std::size_t>(bytes_(statement_, k)));
            }
        }
        return true;
    }

private:
    explicit SqliteDatabase(void* library)
        : open_(function_of<int(const char*, void**, int, const char*)>(library, "sqlite3_open_v2")),
          close_(function_of<int(void*)>(library, "sqlite3_close")),
          prepare_(function_of<int(void*, const char*, int, void**, const char**)>(library, "sqlite3_prepare_v2")),
          step_(function_of<int(void*)>(library, "sqlite3_step")),
          finalize_(function_of<int(void*)>(library, "sqlite3_finalize")),
          count_(function_of<int(void*)>(library, "sqlite3_column_count")),
          name_(function_of<const char*(void*, int)>(library, "sqlite3_column_name")),
          type_(function_of<int(void*, int)>(library, "sqlite3_column_type")),
          number_(function_of<double(void*, int)>(library, "sqlite3_column_double")),
          text_(function_of<const unsigned char*(void*, int)>(library, "sqlite3_column_text")),
          bytes_(function_of<int(void*, int)>(library, "sqlite3_column_bytes")),
          message_(function_of<const char*(void*)>(library, "sqlite3_errmsg")) {}
    Error failure() const { return Error("SQLite says: " + std::string(message_(handle_))); }

    int (*open_)(const char*, void**, int, const char*);
    int (*close_)(void*);
    int (*prepare_)(void*, const char*, int, void**, const char**);
    int (*step_)(void*);
    int (*finalize_)(void*);
    int (*count_)(void*);
    const char* (*name_)(void*, int);
    int (*type_)(void*, int);
    double (*number_)(void*, int);
    const unsigned char* (*text_)(void*, int);
    int (*bytes_)(void*, int);
    const char* (*message_)(void*);
    void *handle_ = nullptr, *statement_ = nullptr;
};

// DuckDB's C interface. Every value is asked for as text, of which a vector has 16 bytes each: a length, and letters or
// where they are.
class DuckDatabase final : public Database {
public:
    static Result<std::unique_ptr<Database>> open(const std::string& path) {
        const char* given = std::getenv("SUFFICE_DUCKDB");
        void* library = open_shared_library({given == nullptr ? "" : given, "libduckdb.so", "libduckdb.dylib"});
        if (library == nullptr)
            return Error(
                "DuckDB files need DuckDB's library, libduckdb.so, which was not found; put it where the system "
                "looks for libraries or name it in SUFFICE_DUCKDB, or save the table as Parquet");
        auto made = std::unique_ptr<DuckDatabase>(new DuckDatabase(library));
        void* config = nullptr;
        made->new_config_(&config);
        made->set_config_(config, "access_mode", "READ_ONLY");
        char* problem = nullptr;
        const int failed = made->open_(path.c_str(), &made->handle_, config, &problem);
        made->free_config_(&config);
        if (failed != 0) {
            Error error("DuckDB says: " + std::string(problem == nullptr ? "it cannot be opened" : problem));
            if (problem != nullptr) made->free_(problem);
            return error;
        }
        if (made->connect_(made->handle_, &made->connection_) != 0) return Error("DuckDB gives no connection");
        return std::unique_ptr<Database>(std::move(made));
    }
    ~DuckDatabase() override {
        end_query();
        if (connection_ != nullptr) disconnect_(&connection_);
        if (handle_ != nullptr) close_(&handle_);
    }
    Result<void> start(const std::string& query) override {
        std::string inner = query;
        while (!inner.empty() && (inner.back() == ';' || inner.back() == '\n' || inner.back() == ' ')) inner.pop_back();
        if (auto ran = run("SELECT * FROM (" + inner + ") LIMIT 0"); !ran) return ran;
        names_.clear();
        for (std::uint64_t k = 0; k < count_(&result_); ++k) names_.emplace_back(name_(&result_, k));
        return run("SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (" + inner + ")");
    }
    std::vector<std::string> columns() override { return names_; }
    Result<bool> row(std::vector<std::string>& cells) override {
        while (chunk_ == nullptr || row_ == size_(chunk_)) {
            if (chunk_ != nullptr) free_chunk_(&chunk_);
            chunk_ = fetch_(result_);
            row_ = 0;
            if (chunk_ == nullptr) return false;
        }
        cells.resize(names_.size());
        for (std::size_t k = 0; k < names_.size(); ++k) {
            void* vector = vector_(chunk_, k);
            const std::uint64_t* valid = validity_(vector);
            cells[k].clear();
            if (valid != nullptr && (valid[row_ / 64] >> row_ % 64 & 1) == 0) continue;
            constexpr std::uint32_t inlined = 12;
            const char* at = static_cast<const char*>(data_(vector)) + row_ * 16;
            std::uint32_t length = 0;
            const char* text = at + sizeof length;
            std::copy_n(at, sizeof length, reinterpret_cast<char*>(&length));
            if (length > inlined) std::copy_n(at + 8, sizeof text, reinterpret_cast<char*>(&text));
            cells[k].assign(text, length);
        }
        ++row_;
        return true;
    }

private:
    // As duckdb.h lays it out; its users see a word of private data at the end.
    struct QueryResult {
        std::uint64_t unused_columns = 0, unused_rows = 0, unused_changed = 0;
        void *unused_data = nullptr, *unused_message = nullptr, *data = nullptr;
    };
    explicit DuckDatabase(void* library)
        : new_config_(function_of<int(void**)>(library, "duckdb_create_config")),
          set_config_(function_of<int(void*, const char*, const char*)>(library, "duckdb_set_config")),
          free_config_(function_of<void(void**)>(library, "duckdb_destroy_config")),
          open_(function_of<int(const char*, void**, void*, char**)>(library, "duckdb_open_ext")),
          close_(function_of<void(void**)>(library, "duckdb_close")),
          connect_(function_of<int(void*, void**)>(library, "duckdb_connect")),
          disconnect_(function_of<void(void**)>(library, "duckdb_disconnect")),
          query_(function_of<int(void*, const char*, QueryResult*)>(library, "duckdb_query")),
          error_(function_of<const char*(QueryResult*)>(library, "duckdb_result_error")),
          end_(function_of<void(QueryResult*)>(library, "duckdb_destroy_result")),
          count_(function_of<std::uint64_t(QueryResult*)>(library, "duckdb_column_count")),
          name_(function_of<const char*(QueryResult*, std::uint64_t)>(library, "duckdb_column_name")),
          fetch_(function_of<void*(QueryResult)>(library, "duckdb_fetch_chunk")),
          free_chunk_(function_of<void(void**)>(library, "duckdb_destroy_data_chunk")),
          size_(function_of<std::uint64_t(void*)>(library, "duckdb_data_chunk_get_size")),
          vector_(function_of<void*(void*, std::uint64_t)>(library, "duckdb_data_chunk_get_vector")),
          data_(function_of<void*(void*)>(library, "duckdb_vector_get_data")),
          validity_(function_of<std::uint64_t*(void*)>(library, "duckdb_vector_get_validity")),
          free_(function_of<void(void*)>(library, "duckdb_free")) {}
    void end_query() {
        if (chunk_ != nullptr) free_chunk_(&chunk_);
        if (started_) end_(&result_);
        chunk_ = nullptr;
        started_ = false;
    }
    Result<void> run(const std::string& query) {
        end_query();
        started_ = true;
        if (query_(connection_, query.c_str(), &result_) == 0) return {};
        const char* message = error_(&result_);
        std::string told = message == nullptr ? "the query failed" : message;
        told.resize(std::min(told.find('\n'), told.size()));
        return Error("DuckDB says: " + told);
    }

    int (*new_config_)(void**);
    int (*set_config_)(void*, const char*, const char*);
    void (*free_config_)(void**);
    int (*open_)(const char*, void**, void*, char**);
    void (*close_)(void**);
    int (*connect_)(void*, void**);
    void (*disconnect_)(void**);
    int (*query_)(void*, const char*, QueryResult*);
    const char* (*error_)(QueryResult*);
    void (*end_)(QueryResult*);
    std::uint64_t (*count_)(QueryResult*);
    const char* (*name_)(QueryResult*, std::uint64_t);
    void* (*fetch_)(QueryResult);
    void (*free_chunk_)(void**);
    std::uint64_t (*size_)(void*);
    void* (*vector_)(void*, std::uint64_t);
    void* (*data_)(void*);
    std::uint64_t* (*validity_)(void*);
    void (*free_)(void*);
    void *handle_ = nullptr, *connection_ = nullptr, *chunk_ = nullptr;
    QueryResult result_;
    std::vector<std::string> names_;
    std::uint64_t row_ = 0;
    bool started_ = false;
};

class DatabaseRows final : public RowMaker {
public:
    DatabaseRows(std::unique_ptr<Database> database, std::string path)
        : database_(std::move(database)), path_(std::move(path)) {}
    Result<bool> next(std::string& csv) override {
        if (!told_) {
            append(database_->columns(), csv);
            told_ = true;
        }
        std::vector<std::string> cells;
        while (!ended_ && csv.size() < database_piece) {
            const auto more = database_->row(cells);
            if (!more) return Error(more.error()).in_file(path_);
            ended_ = !*more;  // asked once more, SQLite would begin again
            if (!ended_) append(cells, csv);
        }
        return !csv.empty();
    }
    std::uint64_t consumed() const override { return 0; }

private:
    static void append(const std::vector<std::string>& cells, std::string& csv) {
        if (cells.size() == 1 && cells[0].empty()) csv += "\"\"";  // else the line would be none
        for (std::size_t k = 0; k < cells.size(); ++k) append_csv_cell(csv, cells[k], k == 0);
        csv += '\n';
    }
    std::unique_ptr<Database> database_;
    std::string path_;
    bool told_ = false, ended_ = false;
};

// The one table there is; of several the user says which.
Result<std::string> whole_table(Database& database, bool duckdb) {
    auto asked =
        database.start(duckdb ? "SELECT table_name FROM information_schema.tables ORDER BY 1"
                              : "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE "
                                "'sqlite_%' ORDER BY 1");
    if (!asked) return asked.error();
    std::vector<std::string> cells, tables;
    for (;;) {
        const auto more = database.row(cells);
        if (!more) return more.error();
        if (!*more) break;
        tables.push_back(cells[0]);
    }
    if (tables.empty()) return Error("the database holds no table");
    if (tables.size() == 1) return "SELECT * FROM " + quoted_name(tables[0]);
    std::string names;
    for (std::size_t k = 0; k < std::min<std::size_t>(tables.size(), 8); ++k) names += (k == 0 ? "" : ", ") + tables[k];
    return Error("the database holds several tables: " + names + (tables.size() > 8 ? ", ..." : ""))
        .advise({"query", "SELECT * FROM " + tables[0], "say which with"});
}

}  // namespace

Result<RewrittenRows> rewrite_database(const std::string& path, const std::string& query, bool duckdb) {
    auto opened = duckdb ? DuckDatabase::open(path) : SqliteDatabase::open(path);
    if (!opened) return Error(opened.error()).in_file(path);
    const auto wanted = query.empty() ? whole_table(**opened, duckdb) : Result<std::string>(query);
    if (!wanted) return Error(wanted.error()).in_file(path);
    if (auto started = (*opened)->start(*wanted); !started) return Error(started.error()).in_file(path);
    return RewrittenRows{csv_of(std::make_unique<DatabaseRows>(std::move(*opened), path)), -1};
}

}  // namespace suffice
