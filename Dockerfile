FROM python:3.11-slim
WORKDIR /wintercount
COPY . .
RUN pip install --no-cache-dir --require-hashes -r requirements.lock && pip install --no-cache-dir --no-deps --no-build-isolation -e .
USER nobody
CMD ["wintercount", "serve"]
