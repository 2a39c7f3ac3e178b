# The server, for charts/orch:
#
#   docker build -t orch:0.1.0 --build-arg COMMIT=$(git rev-parse HEAD) --build-arg BUILD_DATE=$(date -u +%FT%TZ) .
#
# Native parts come built, in packages: nothing is compiled, and no package's script is run.
ARG NODE_VERSION=24.21.0

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY schemas schemas
COPY hack hack
COPY src src
RUN npm run build

FROM node:${NODE_VERSION}-bookworm-slim AS modules
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && mkdir /data

# No shell and no npm: Node, the C++ library, authorities, and a user 65532.
FROM gcr.io/distroless/cc-debian12:nonroot
ARG VERSION=0.1.0
ARG COMMIT=
ARG BUILD_DATE=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="orch" \
      org.opencontainers.image.description="A control plane in one process: the resource API of Kubernetes 1.32 on etcd or on a store of its own." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${COMMIT}" \
      org.opencontainers.image.created="${BUILD_DATE}"
WORKDIR /app
COPY --from=modules /usr/local/bin/node /usr/local/bin/node
COPY --from=modules --chown=65532:65532 /data /var/lib/orch
COPY --from=modules /app/node_modules node_modules
COPY package.json LICENSE ./
COPY --from=build /app/dist dist
# What hack/orchd sets, and for what, is said there.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=65536 \
    MALLOC_TRIM_THRESHOLD_=131072 \
    ORCH_DATA_DIR=/var/lib/orch \
    ORCH_BUILD_COMMIT=${COMMIT} \
    ORCH_BUILD_DATE=${BUILD_DATE}
USER 65532:65532
EXPOSE 6443
VOLUME /var/lib/orch
ENTRYPOINT ["node", "--min-semi-space-size=8", "--max-semi-space-size=32", "/app/dist/cli/orchd.js"]
