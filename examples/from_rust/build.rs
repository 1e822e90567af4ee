// Finds libsuffice_c.so below SUFFICE_PREFIX, where suffice was installed.
fn main() {
    let prefix = std::env::var("SUFFICE_PREFIX").unwrap_or("/usr/local".into());
    println!("cargo:rustc-link-search=native={prefix}/lib");
    println!("cargo:rustc-link-lib=dylib=suffice_c");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{prefix}/lib");
    println!("cargo:rerun-if-env-changed=SUFFICE_PREFIX");
}
