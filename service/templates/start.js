SwaggerUIBundle({
  url: "v1/openapi.json",
  dom_id: "#documentation",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayOperationId: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
