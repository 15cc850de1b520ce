# A server of one's own, of nothing but the program: docs/serve.md.
#
#   docker build -t laurel .
#   docker run -p 127.0.0.1:8080:8080 -v laurel:/data laurel
#
# --target binary takes bin/laurel, which was built outside, and the empty folder bin/data.
FROM scratch AS base
USER 65532:65532
ENV LAUREL_ADDR=:8080 LAUREL_DATA=/data TMPDIR=/data
EXPOSE 8080
ENTRYPOINT ["/laurel"]
CMD ["serve"]

FROM base AS binary
COPY bin/laurel /laurel
COPY --chown=65532:65532 bin/data /data
VOLUME /data

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN mkdir /data && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /laurel ./cmd/laurel

FROM base
COPY --from=build /laurel /laurel
COPY --from=build --chown=65532:65532 /data /data
VOLUME /data
