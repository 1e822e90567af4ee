"""ONNX Runtime behind the plainest server there is: http.server with keep-alive; PORT, beside model.onnx."""
import http.server
import json
import sys

import numpy
import onnxruntime

COLUMNS = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
session = onnxruntime.InferenceSession("model.onnx", options)


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def log_message(self, *_):
        pass

    def answer(self, told):
        data = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def do_GET(self):
        self.answer({"ready": True})

    def do_POST(self):
        rows = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["rows"]
        labels, probabilities = session.run(["label", "probabilities"], {name: numpy.array([[row[name]] for row in rows]) for name in COLUMNS})
        self.answer({"predictions": [{"label": label, "probabilities": p} for label, p in zip(labels.tolist(), probabilities.tolist())]})


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Answers).serve_forever()
