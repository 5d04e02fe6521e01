const SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error";

/** RFC 7644, section 3.12. */
export function scimError(
	status: number,
	detail: string,
	scimType?: string,
	headers = new Headers(),
): Response {
	headers.set("content-type", "application/scim+json");
	const body = { schemas: [SCHEMA], status: String(status), detail, ...(scimType && { scimType }) };
	return new Response(JSON.stringify(body), { status, headers });
}

/** Makes an error of the service one of SCIM. */
export async function toScimError(response: Response): Promise<Response> {
	const body: unknown = await response
		.clone()
		.json()
		.catch(() => null);
	const { schemas, message, detail }: Record<string, unknown> = Object(body);
	if (Array.isArray(schemas) && schemas.includes(SCHEMA)) return response;
	const text = [detail, message].find((it) => typeof it === "string") ?? response.statusText;
	const headers = new Headers(response.headers);
	headers.delete("content-length");
	return scimError(response.status, String(text), undefined, headers);
}
