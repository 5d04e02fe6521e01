import { afterAll, onTestFinished } from "vitest";
import { startServer } from "../src/server";
import { readSettings } from "../src/settings/settings";
import { asManager, managementKey } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

export type PagesTenant = { id: string; slug: string };
export type PagesServer = Awaited<ReturnType<typeof startPages>>;

let tenantsMade = 0;

/** A server on its own port, for a browser. */
async function startPages(environment: Record<string, string>) {
	const settings = readSettings(
		{
			PORT: "0",
			BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
			MANAGEMENT_KEYS: managementKey,
			LOG_LEVEL: "error",
			...environment,
		},
		"/",
	);
	const { baseUrl, close } = await startServer(settings);

	const call = async <Answer>(
		path: string,
		headers: Record<string, string>,
		body?: unknown,
	): Promise<Answer> => {
		const response = await fetch(`${baseUrl}${path}`, {
			headers: { "content-type": "application/json", ...headers },
			...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
		});
		if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
		return (await response.json()) as Answer;
	};
	/** Calls a management endpoint, with POST if there is a body. */
	const manage = <Answer>(path: string, body?: unknown) =>
		call<Answer>(`/api/auth/tenant${path}`, asManager, body);
	return {
		baseUrl,
		close,
		call,
		manage,
		/** Its slug is unique. */
		newTenant: (name: string, branding?: object): Promise<PagesTenant> => {
			tenantsMade += 1;
			const slug = `${name.toLowerCase()}-${tenantsMade}`;
			const metadata = branding ? { metadata: { branding } } : {};
			return manage("/create", { slug, name, ...metadata });
		},
		signUp: ({ id }: PagesTenant, email: string, password: string) =>
			call<{ user: { id: string } }>(
				"/api/auth/tenant/sign-up/email",
				{ "x-tenant-id": id },
				{ name: "Ada Lovelace", email, password },
			),
		signInWrongly: ({ id }: PagesTenant, email: string) =>
			fetch(`${baseUrl}/api/auth/tenant/sign-in/email`, {
				method: "POST",
				headers: { "content-type": "application/json", "x-tenant-id": id },
				body: JSON.stringify({ email, password: "not the password" }),
			}),
		/** The link in the newest email to this recipient. */
		mailedLink: async (email: string): Promise<string> => {
			const emails = await call<{ to: string; text: string }[]>("/service/outbox", asManager);
			const link = /https?:\/\/\S+/.exec(emails.find(({ to }) => to === email)?.text ?? "");
			if (!link) throw new Error(`There is no email with a link for ${email}.`);
			return link[0];
		},
	};
}

/** A server for one test. */
export async function runningPages(environment: Record<string, string> = {}) {
	const server = await startPages({ DATA_DIR: temporaryDirectory(), ...environment });
	onTestFinished(server.close);
	return server;
}

/** A server that the tests of a suite share. Each test has its own tenants and users. */
export function usePages(environment: Record<string, string> = {}): () => Promise<PagesServer> {
	const DATA_DIR = temporaryDirectory(afterAll);
	let started: Promise<PagesServer> | undefined;
	afterAll(async () => (await started)?.close());
	return () => {
		started ??= startPages({ DATA_DIR, ...environment });
		return started;
	};
}
