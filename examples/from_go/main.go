// Suffice from Go: rows fitted and scored through the C interface. CGO_CFLAGS and CGO_LDFLAGS say where it is installed.
package main

/*
#cgo LDFLAGS: -lsuffice_c
#include <stdlib.h>
#include <suffice.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

type Model struct{ handle *C.suffice_model }

func (model Model) Free() { C.suffice_free(model.handle) }

func Fit(rows []float64, columns int, labels []string, settings string) (Model, error) {
	words := make([]*C.char, len(labels))
	for k, label := range labels {
		words[k] = C.CString(label)
		defer C.free(unsafe.Pointer(words[k]))
	}
	text := C.CString(settings)
	defer C.free(unsafe.Pointer(text))
	list := C.malloc(C.size_t(len(words)) * C.size_t(unsafe.Sizeof(uintptr(0)))) // C may not keep Go's own pointers
	defer C.free(list)
	copy(unsafe.Slice((**C.char)(list), len(words)), words)
	var problem C.suffice_error
	handle := C.suffice_fit_rows((*C.double)(&rows[0]), C.size_t(len(labels)), C.size_t(columns), (**C.char)(list), text, &problem)
	if handle == nil {
		return Model{}, errors.New(C.GoString(&problem.message[0]))
	}
	return Model{handle}, nil
}

func (model Model) Posteriors(row []float64) (map[string]float64, error) {
	out := make([]float64, int(C.suffice_class_count(model.handle)))
	var problem C.suffice_error
	if C.suffice_posteriors(model.handle, (*C.double)(&row[0]), 1, (*C.double)(&out[0]), &problem) != 0 {
		return nil, errors.New(C.GoString(&problem.message[0]))
	}
	named := map[string]float64{}
	for k, p := range out {
		named[C.GoString(C.suffice_class_name(model.handle, C.size_t(k)))] = p
	}
	return named, nil
}

func main() {
	rows := []float64{1.0, 2.0, 1.2, 1.8, 0.8, 2.3, 5.0, 6.1, 5.3, 6.0, 4.7, 6.4}
	labels := []string{"stays", "stays", "stays", "leaves", "leaves", "leaves"}
	model, problem := Fit(rows, 2, labels, `{"model": "qda", "columns": ["calls", "minutes"]}`)
	if problem != nil {
		panic(problem)
	}
	defer model.Free()
	posteriors, problem := model.Posteriors([]float64{5.1, 6.0})
	if problem != nil {
		panic(problem)
	}
	fmt.Printf("leaves %.4f\nstays %.4f\n", posteriors["leaves"], posteriors["stays"])
	_, problem = Fit(rows, 2, labels, `{"model": "qdb"}`)
	fmt.Println(problem)
}
