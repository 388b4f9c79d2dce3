// Types, and a function for each operation, from the document that the service publishes.
export default {
  input: "../../openapi.yaml",
  output: { path: "src/generated", module: { extension: ".js" }, clean: true },
  plugins: [
    { name: "@hey-api/client-fetch", throwOnError: true },
    "@hey-api/typescript",
    { name: "@hey-api/sdk", responseStyle: "data" },
  ],
};
