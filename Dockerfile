# The service as pip installs it, with the page and the documentation in its wheel: `make wheel` puts that into dist/.
# `make pin-images` pins the base image by digest.
FROM python:3.11-slim AS built
COPY requirements-production.lock dist/wintercount-*.whl /
RUN python -m venv --without-pip /opt/venv \
  && pip --python /opt/venv/bin/python install --no-cache-dir --no-deps --require-hashes -r /requirements-production.lock \
  && pip --python /opt/venv/bin/python install --no-cache-dir --no-deps /wintercount-*.whl

FROM python:3.11-slim
COPY --from=built /opt/venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
RUN install -d -m 700 -o 65534 -g 65534 /archive /data
USER 65534:65534
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --retries=6 CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["wintercount", "serve"]
