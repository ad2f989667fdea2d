SwaggerUIBundle({
  url: "v1/openapi.json",
  dom_id: "#documentation",
  deepLinking: true,
  displayOperationId: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
