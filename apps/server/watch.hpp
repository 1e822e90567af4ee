// Which models are served: files that were named, and those of folders, which come and go while the server runs.
#pragma once
#include <filesystem>
#include <map>
#include <mutex>

#include "server/served.hpp"
#include "server/server.hpp"

namespace suffice::server {

class Watch {
public:
    Watch(const ServerOptions& options, ModelTable& models, const Tell& tell)
        : options_(options), models_(models), tell_(tell) {}

    // At the start: a bad file that was named is an Error; one in a folder is told and left out.
    Result<void> load_all();
    // By and by: changed files take the places of their models, folders are looked into again.
    void look();

private:
    Result<std::shared_ptr<Served>> load_one(const std::string& path, bool of_folder) const;
    void look_into(const std::string& folder);
    void drop_gone();
    void look_at_log(Served& served) const;

    const ServerOptions& options_;
    ModelTable& models_;
    const Tell& tell_;
    std::mutex looking_;
    std::map<std::string, std::filesystem::file_time_type> left_out_;  // files of folders, until they change
};

}  // namespace suffice::server
