import { defineConfig } from "vitest/config";

// The server that `npm run dev` sends requests of the API to.
const server = process.env.KITH_URL ?? "http://127.0.0.1:8080";

const proxy = Object.fromEntries(["/v2", "/openapi.json"].map((path) => [path, { target: server }]));

export default defineConfig({
  base: "./", // Kith may be served below any path
  build: {
    outDir: "../http/web/dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the content security policy forbids data: addresses
    license: { fileName: "licenses.md" },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1600, // Swagger UI, only for the reference
  },
  server: { proxy },
  preview: { proxy },
  test: { include: ["src/**/*.test.ts"] },
});
