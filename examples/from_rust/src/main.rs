// Suffice from Rust: rows fitted and scored through the C interface, whose handle is given back when it goes out of scope.
use std::ffi::{c_char, c_int, CStr, CString};

#[repr(C)]
struct Error {
    code: c_int,
    message: [c_char; 512],
}

#[repr(C)]
struct RawModel {
    _private: [u8; 0],
}

extern "C" {
    fn suffice_fit_rows(rows: *const f64, n: usize, d: usize, labels: *const *const c_char,
                        settings_json: *const c_char, error: *mut Error) -> *mut RawModel;
    fn suffice_posteriors(model: *const RawModel, rows: *const f64, n: usize, out: *mut f64, error: *mut Error) -> c_int;
    fn suffice_class_count(model: *const RawModel) -> usize;
    fn suffice_class_name(model: *const RawModel, place: usize) -> *const c_char;
    fn suffice_free(model: *mut RawModel);
}

struct Model(*mut RawModel);

impl Drop for Model {
    fn drop(&mut self) {
        unsafe { suffice_free(self.0) }
    }
}

impl Model {
    fn fit(rows: &[f64], columns: usize, labels: &[&str], settings: &str) -> Result<Model, String> {
        assert_eq!(rows.len(), columns * labels.len());
        let words: Vec<CString> = labels.iter().map(|word| CString::new(*word).unwrap()).collect();
        let pointers: Vec<*const c_char> = words.iter().map(|word| word.as_ptr()).collect();
        let settings = CString::new(settings).unwrap();
        let mut error = Error { code: 0, message: [0; 512] };
        let made = unsafe {
            suffice_fit_rows(rows.as_ptr(), labels.len(), columns, pointers.as_ptr(), settings.as_ptr(), &mut error)
        };
        if made.is_null() {
            return Err(unsafe { CStr::from_ptr(error.message.as_ptr()) }.to_string_lossy().into());
        }
        Ok(Model(made))
    }

    fn posteriors(&self, row: &[f64]) -> Vec<(String, f64)> {
        let count = unsafe { suffice_class_count(self.0) };
        let mut out = vec![0.0; count];
        let mut error = Error { code: 0, message: [0; 512] };
        assert_eq!(unsafe { suffice_posteriors(self.0, row.as_ptr(), 1, out.as_mut_ptr(), &mut error) }, 0);
        let name = |k| unsafe { CStr::from_ptr(suffice_class_name(self.0, k)) }.to_string_lossy().into_owned();
        out.into_iter().enumerate().map(|(k, p)| (name(k), p)).collect()
    }
}

fn main() -> Result<(), String> {
    let rows = [1.0, 2.0, 1.2, 1.8, 0.8, 2.3, 5.0, 6.1, 5.3, 6.0, 4.7, 6.4];
    let labels = ["stays", "stays", "stays", "leaves", "leaves", "leaves"];
    let model = Model::fit(&rows, 2, &labels, r#"{"model": "qda", "columns": ["calls", "minutes"]}"#)?;
    for (name, p) in model.posteriors(&[5.1, 6.0]) {
        println!("{name} {p:.4}");
    }
    println!("{}", Model::fit(&rows, 2, &labels, r#"{"model": "qdb"}"#).err().unwrap());
    Ok(())
}
