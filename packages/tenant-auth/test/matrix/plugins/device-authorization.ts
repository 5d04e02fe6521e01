import { deviceAuthorization } from "better-auth/plugins";
import { expect } from "vitest";
import { answers, type PluginMatrix, refused } from "./matrix";

const client_id = "television";
const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
const unknown = refused(400, "invalid_request");
const newCodes = answers(() => expect.objectContaining({ device_code: expect.any(String) }));

interface Devices {
	/** Nobody has looked at its code yet. */
	asked: string;
	/** The user is about to decide. */
	seen: string;
	/** The device of that code may come in. */
	approved: string;
}

export const deviceAuthorizationMatrix: PluginMatrix<Devices> = {
	plugin: "device-authorization",
	options: () => ({ plugins: [deviceAuthorization({ interval: "1s" })] }),
	async make({ to, as }) {
		const ask = async () => (await to("/device/code", { body: { client_id } })).body;
		const look = (user_code: string) => as("/device", { query: { user_code } });
		const [asked, seen, approved] = [await ask(), await ask(), await ask()];
		await look(seen.user_code);
		await look(approved.user_code);
		await as("/device/approve", { body: { userCode: approved.user_code } });
		return { asked: asked.user_code, seen: seen.user_code, approved: approved.device_code };
	},
	rows: {
		deviceCode: [
			{
				tries: "asks for codes, with A's beside it",
				call: ({ a }) => ({
					path: "/device/code",
					body: { client_id, user_code: a.asked, device_code: a.approved },
				}),
				by: "anyone",
				gets: newCodes,
				own: newCodes,
			},
		],
		deviceToken: [
			{
				tries: "comes with the code of A's device",
				call: ({ a }) => ({
					path: "/device/token",
					body: { grant_type, device_code: a.approved, client_id },
				}),
				by: "anyone",
				gets: refused(400, "invalid_grant"),
				own: answers(() => expect.objectContaining({ access_token: expect.any(String) })),
			},
		],
		deviceVerify: [
			{
				tries: "looks at the code of A's device",
				call: ({ a }) => ({ path: "/device", query: { user_code: a.asked } }),
				by: "anyone",
				gets: unknown,
				own: answers(() => expect.objectContaining({ status: "pending" })),
			},
		],
		deviceApprove: [
			{
				tries: "lets A's device in",
				call: ({ a }) => ({ path: "/device/approve", body: { userCode: a.seen } }),
				by: "user",
				gets: unknown,
				own: answers(() => ({ success: true })),
			},
		],
		deviceDeny: [
			{
				tries: "turns A's device away",
				call: ({ a }) => ({ path: "/device/deny", body: { userCode: a.seen } }),
				by: "user",
				gets: unknown,
				own: answers(() => ({ success: true })),
			},
		],
	},
};
