"""FastAPI and scikit-learn, as its tutorials have it; run by uvicorn beside model.joblib."""
import joblib
import numpy
from fastapi import FastAPI
from pydantic import BaseModel

COLUMNS = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
model = joblib.load("model.joblib")
app = FastAPI()


class Rows(BaseModel):
    rows: list[dict[str, float]]


@app.get("/ready")
def ready():
    return {"ready": True}


@app.post("/predict")
async def predict(asked: Rows):
    probabilities = model.predict_proba(numpy.array([[row[name] for name in COLUMNS] for row in asked.rows]))
    labels = model.classes_[probabilities.argmax(axis=1)]
    return {"predictions": [{"label": label, "probabilities": dict(zip(model.classes_, p))} for label, p in zip(labels.tolist(), probabilities.tolist())]}
