# Kith as an image: one static binary, run by an unprivileged user.
#
#   docker build -t kith .
#   docker run --rm kith --help

FROM golang:1.26 AS build
WORKDIR /src
# Modules first: they change less often than the code, so this layer is kept.
COPY go.mod go.sum ./
ENV GOCACHE=/go/cache
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/go/cache \
    CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags="-s -w" -o /out/kith ./cmd/kith

FROM alpine:3.22
RUN adduser -D -H -u 10001 kith && install -d -o kith -g kith /var/lib/kith /var/lib/kith/imports
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/kith /usr/local/bin/kith
USER 10001
WORKDIR /var/lib/kith
# Within a container loopback is out of reach of everyone else.
ENV KITH_LISTEN=0.0.0.0:8080
EXPOSE 8080
# Alive, not ready: a container whose database is away must not be restarted.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD wget -q -O /dev/null http://127.0.0.1:8080/healthz || exit 1
ENTRYPOINT ["kith"]
CMD ["serve"]
