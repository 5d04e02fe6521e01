import { asManager, type RunningService } from "./running-service";

/** Uploads and reads logos. */
export function logoCalls({ post, call }: Pick<RunningService, "post" | "call">) {
	const upload = async (
		tenantId: string,
		image: Buffer | string,
		headers: Record<string, string> = asManager,
		field?: string,
	) => {
		const base64 = typeof image === "string" ? image : image.toString("base64");
		const sent = { tenantId, image: base64, field };
		const response = await post("/tenant/logo/upload", sent, headers);
		const body = (await response.json()) as { logoUrl: string; code?: string };
		return { status: response.status, body };
	};
	const tenantOf = async (id: string) => {
		const response = await call(`/api/auth/tenant/get?id=${id}`, { headers: asManager });
		return (await response.json()) as { metadata: { branding?: { logoUrl?: string } } | null };
	};
	/** The URL of an image that is now in this field of the branding. */
	const uploadTo = async (
		field: "logoUrl" | "darkLogoUrl" | "faviconUrl",
		id: string,
		image: Buffer,
	) => {
		const { body } = await upload(id, image, asManager, field);
		return (body as Partial<Record<string, string>>)[field] ?? "";
	};
	return { upload, uploadTo, tenantOf };
}
