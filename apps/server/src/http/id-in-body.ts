import { basePath } from "../auth";

/**
 * The tenant that the body of a management call names. Ask before the request is handled: its body can be read
 * only once.
 */
export async function findIdInBody(request: Request): Promise<string | null> {
	const isJson = request.headers.get("content-type")?.startsWith("application/json");
	const { pathname } = new URL(request.url);
	if (!isJson || !pathname.startsWith(`${basePath}/tenant/`)) return null;
	const body: unknown = await request
		.clone()
		.json()
		.catch(() => null);
	const { tenantId }: { tenantId?: unknown } = Object(body);
	return typeof tenantId === "string" ? tenantId : null;
}
