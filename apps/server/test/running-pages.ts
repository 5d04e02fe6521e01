import { onTestFinished } from "vitest";
import { startServer } from "../src/server";
import { readSettings } from "../src/settings";
import { asManager, managementKey } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

/** The server on a port of its own, for a browser to visit. */
export async function runningPages(environment: Record<string, string> = {}) {
	const settings = readSettings(
		{
			PORT: "0",
			BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
			MANAGEMENT_KEYS: managementKey,
			DATA_DIR: temporaryDirectory(),
			LOG_LEVEL: "warn",
			...environment,
		},
		"/",
	);
	const server = await startServer(settings);
	onTestFinished(() => server.close());
	const { baseUrl } = server;

	const call = async (path: string, headers: Record<string, string>, body?: unknown) => {
		const response = await fetch(`${baseUrl}${path}`, {
			headers: { "content-type": "application/json", ...headers },
			...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
		});
		if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
		return response.json();
	};
	return {
		baseUrl,
		/** @returns its id */
		newTenant: async (slug: string, name: string, branding?: object): Promise<string> => {
			const tenant = { slug, name, ...(branding ? { metadata: { branding } } : {}) };
			return (await call("/api/auth/tenant/create", asManager, tenant)).id;
		},
		suspend: (tenantId: string) => call("/api/auth/tenant/suspend", asManager, { tenantId }),
		signUp: (tenantId: string, email: string, password: string) =>
			call(
				"/api/auth/tenant/sign-up/email",
				{ "x-tenant-id": tenantId },
				{ name: "Ada Lovelace", email, password },
			),
		/** The link in the newest mail to the address. */
		mailedLink: async (email: string): Promise<string> => {
			const mails: { to: string; text: string }[] = await call("/service/outbox", asManager);
			const link = /https?:\/\/\S+/.exec(mails.find(({ to }) => to === email)?.text ?? "");
			if (!link) throw new Error(`There is no mail with a link to ${email}.`);
			return link[0];
		},
	};
}
