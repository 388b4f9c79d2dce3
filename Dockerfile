# `make pin-images` pins the base image by digest.
FROM python:3.11-slim AS built
COPY requirements-production.lock /
RUN python -m venv /opt/venv && /opt/venv/bin/pip install --no-cache-dir --no-deps --require-hashes -r /requirements-production.lock

FROM python:3.11-slim
WORKDIR /wintercount
COPY --from=built /opt/venv /opt/venv
COPY . .
ENV PATH=/opt/venv/bin:$PATH PYTHONPATH=/wintercount PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
RUN install -d -m 700 -o 65534 -g 65534 /archive /data
USER 65534:65534
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --retries=6 CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "-m", "wintercount", "serve"]
