import { expect } from "vitest";
import { type Answer, type Instance, type InstanceOptions, PASSWORD } from "./instance";
import { makeTwoUsers } from "./two-tenants";

interface Sent {
	tenant?: string;
	query?: Record<string, string>;
}

/** A browser with its cookies. */
export function openBrowser({ call }: Pick<Instance, "call">, initial: [string, string][] = []) {
	const cookies = new Map(initial);
	async function send(path: string, body?: object, { tenant, query }: Sent = {}): Promise<Answer> {
		const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
		const answer = await call(path, {
			cookie,
			...(body ? { body } : {}),
			...(tenant ? { tenant } : {}),
			...(query ? { query } : {}),
		});
		for (const line of answer.headers.getSetCookie()) {
			const [pair = ""] = line.split(";");
			const name = pair.slice(0, pair.indexOf("="));
			if (/max-age=0/i.test(line)) cookies.delete(name);
			else cookies.set(name, pair.slice(name.length + 1));
		}
		return answer;
	}
	const signIn = (tenantId: string, more: object = {}) =>
		send("/tenant/sign-in/email", {
			tenantId,
			email: "ada@example.com",
			password: PASSWORD,
			...more,
		});
	return {
		cookies,
		send,
		signIn,
		copy: () => openBrowser({ call }, [...cookies]),
		start: () => send("/tenant/link/start", {}),
		finish: (linkCode: string) => send("/tenant/link/finish", { linkCode }),
		list: async () => (await send("/tenant/link/list")).body.users,
		switchTo: (tenantId: string) => send("/tenant/link/switch", { tenantId }),
		/** The tenant of the session. */
		current: async () => (await send("/get-session")).body?.session.tenantId ?? null,
		/** The session cookie, without its signature. */
		token: () => decodeURIComponent(cookies.get("better-auth.session_token") ?? "").split(".")[0],
	};
}

export type Browser = ReturnType<typeof openBrowser>;

/** Two tenants that allow links. One person has a user in both, with the same email and password. */
export async function makeLinkedUsers(options: InstanceOptions = {}) {
	const app = await makeTwoUsers(options);
	const { a, b, auth } = app;
	const allow = (tenantId: string, allowed = true) =>
		auth.api.updateTenantLinkSettings({ body: { tenantId, allowed } });
	await allow(a);
	await allow(b);
	const open = () => openBrowser(app);

	/** Links the user of the browser with the one of another tenant. */
	async function link(browser: Browser, tenantId: string): Promise<Answer> {
		const { body } = await browser.start();
		await browser.signIn(tenantId);
		const finished = await browser.finish(body.linkCode);
		expect([finished.status, finished.body.code]).toEqual([200, undefined]);
		return finished;
	}

	/** A browser of the person that is signed in to B, and linked with A. */
	async function openLinked(): Promise<Browser> {
		const browser = open();
		await browser.signIn(a);
		await link(browser, b);
		return browser;
	}

	const eventsOf = async (tenantId: string) =>
		(await auth.api.listTenantAuditEvents({ query: { tenantId } }))
			.filter(({ action }) => action.startsWith("link"))
			.map(({ action, targetId, detail }) => ({ action, targetId, detail }));

	return { ...app, allow, open, link, openLinked, eventsOf };
}

export type LinkedApp = Awaited<ReturnType<typeof makeLinkedUsers>>;
