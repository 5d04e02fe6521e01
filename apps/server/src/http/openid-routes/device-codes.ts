import { shownUserCode } from "../../openid-provider/device-flow/user-code";
import { toOAuthError } from "./oauth-errors";

/** The codes of a device, with the page of its tenant. The plugin has one page for all tenants. */
export async function asDeviceCodes(issuer: string, response: Response): Promise<Response> {
	if (response.status !== 200) return toOAuthError(response);
	const body = (await response.json()) as { user_code: string };
	const userCode = shownUserCode(body.user_code);
	const page = `${issuer}/device`;
	const headers = new Headers(response.headers);
	headers.delete("content-length");
	return Response.json(
		{
			...body,
			user_code: userCode,
			verification_uri: page,
			verification_uri_complete: `${page}?user_code=${userCode}`,
		},
		{ headers },
	);
}
