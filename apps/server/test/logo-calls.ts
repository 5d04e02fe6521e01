import { asManager, type RunningService } from "./running-service";

/** Uploads and reads logos. */
export function logoCalls({ post, call }: Pick<RunningService, "post" | "call">) {
	const upload = async (
		tenantId: string,
		image: Buffer | string,
		headers: Record<string, string> = asManager,
	) => {
		const base64 = typeof image === "string" ? image : image.toString("base64");
		const response = await post("/tenant/logo/upload", { tenantId, image: base64 }, headers);
		const body = (await response.json()) as { logoUrl: string; code?: string };
		return { status: response.status, body };
	};
	const tenantOf = async (id: string) => {
		const response = await call(`/api/auth/tenant/get?id=${id}`, { headers: asManager });
		return (await response.json()) as { metadata: { branding?: { logoUrl?: string } } | null };
	};
	return { upload, tenantOf };
}
