import { randomBytes } from "node:crypto";
import { Decrypter, Encrypter } from "age-encryption";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { stopClock } from "../../../testing/stopped-clock";
import { listen } from "../src/http/listen";
import { download } from "../src/http/tenant-file/download";
import { ROLES } from "../src/operators/permissions";
import { decryptLines, encryptLines } from "../src/tenant-file/encrypted-lines";
import { newOperator, operatorPassword } from "./operator-accounts";
import {
	asManager,
	cookiesOf,
	newSlug,
	newTenant,
	newUser,
	type RunningService,
	runningService,
	useService,
} from "./running-service";
import { exportFrom, filePassword, importBody, importInto } from "./tenant-file-calls";

const password = filePassword;
const currentPassword = operatorPassword;

type Headers = Record<string, string>;

const errorOf = async (response: Response) => {
	const { code } = (await response.json()) as { code: string };
	return [response.status, code];
};

/** A tenant with users, and its file. */
async function exportedTenant(service: RunningService, users = 1) {
	const slug = newSlug();
	const tenantId = await newTenant(service.post, slug);
	const user = newUser("ada@example.com");
	await service.post("/tenant/sign-up/email", { ...user, tenantId });
	for (let n = 1; n < users; n++) {
		const email = `user-${n}@example.com`;
		await service.post("/tenant/sign-up/email", { ...newUser(email), tenantId });
	}
	const response = await exportFrom(service, asManager, { tenantId });
	expect(response.status).toBe(200);
	return { slug, tenantId, user, file: Buffer.from(await response.arrayBuffer()) };
}

const eventsOf = async ({ call }: RunningService, tenantId: string, action: string) => {
	const query = new URLSearchParams({ tenantId, action });
	const response = await call(`/api/auth/tenant/audit/list?${query}`, { headers: asManager });
	return (await response.json()) as { actor: object; ipAddress: string; detail: object | null }[];
};

const findTenant = async ({ call }: RunningService, id: string) => {
	const response = await call(`/api/auth/tenant/get?id=${id}`, { headers: asManager });
	return response.ok ? ((await response.json()) as { suspendedAt: string | null }) : null;
};

const first = useService({
	BETTER_AUTH_SECRET: "the secret of the first service, 32 characters: k3!hZ",
});
const second = useService({
	BETTER_AUTH_SECRET: "the secret of the second service, 32 characters: q7?Rb",
});

describe("the export of a tenant by an operator", () => {
	test("is a file that any program reads that knows age and the password", async () => {
		const service = await first();
		const owner = await newOperator(service, "owner", "exporter@example.com");
		const slug = newSlug();
		const tenantId = await newTenant(service.post, slug);
		const user = newUser("ada@example.com");
		await service.post("/tenant/sign-up/email", { ...user, tenantId });
		const response = await exportFrom(service, owner.headers, { tenantId, currentPassword });
		expect(response.status).toBe(200);
		expect(response.headers.get("cache-control")).toBe("no-store");
		expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${slug}.age"`);
		const bytes = new Uint8Array(await response.arrayBuffer());
		expect(Buffer.from(bytes).includes(user.email)).toBe(false);
		const decrypter = new Decrypter();
		decrypter.addPassphrase(password);
		expect(await decrypter.decrypt(bytes, "text")).toContain(user.email);

		const [event, ...others] = await eventsOf(service, tenantId, "app:export-tenant");
		expect(others).toEqual([]);
		expect(event).toMatchObject({ actor: { kind: "administrator", id: owner.id } });
		expect(event?.ipAddress).toMatch(/^10\./);
		const everything = JSON.stringify([event, service.log()]);
		expect(everything).not.toContain(password);
		expect(everything).not.toContain(currentPassword);
	});

	test("needs the password of the operator again, and guesses are limited", async () => {
		stopClock();
		const service = await runningService(
			{ RATE_LIMIT_SIGN_IN: "3/60" },
			{
				config: () => ({ enableRateLimit: true }),
			},
		);
		const owner = await newOperator(service, "owner");
		const tenantId = await newTenant(service.post);
		const ask = async (more: object) =>
			errorOf(
				await service.call(
					"/service/tenant-file/export",
					{
						method: "POST",
						headers: { "content-type": "application/json", ...owner.headers },
						body: JSON.stringify({ tenantId, password, ...more }),
					},
					"192.0.2.1",
				),
			);
		expect(await ask({})).toEqual([400, "INVALID_PASSWORD"]);
		expect(await ask({ currentPassword: "a wrong password" })).toEqual([400, "INVALID_PASSWORD"]);
		expect(await ask({ currentPassword: "another one" })).toEqual([400, "INVALID_PASSWORD"]);
		expect(await ask({ currentPassword })).toEqual([429, "TOO_MANY_REQUESTS"]);
		expect(await eventsOf(service, tenantId, "app:export-tenant")).toEqual([]);
	});

	test("refuses a weak password, an unknown tenant and unknown fields", async () => {
		const service = await first();
		const tenantId = await newTenant(service.post, newSlug());
		const cases: [object, unknown][] = [
			[{ tenantId, password: "short" }, [400, "VALIDATION_ERROR"]],
			[{ tenantId, format: "zip" }, [400, "VALIDATION_ERROR"]],
			[{}, [400, "VALIDATION_ERROR"]],
			[{ tenantId: "none" }, [404, "TENANT_NOT_FOUND"]],
		];
		for (const [body, expected] of notEmpty(cases)) {
			expect(await errorOf(await exportFrom(service, asManager, body))).toEqual(expected);
		}
	});

	test("ends when the client goes away, and gives its place to others", async () => {
		const service = await first();
		const { tenantId } = await exportedTenant(service);
		const [one, two, three] = await Promise.all(
			["one", "two", "three"].map(async (name) => {
				const body = { name, scopes: ["tenant:export"] };
				const { key } = await service.backend.auth.api.createOperatorKey({ body });
				return () => exportFrom(service, { authorization: `Bearer ${key}` }, { tenantId });
			}),
		);
		if (!one || !two || !three) throw new Error("there are three keys");
		const held = await one();
		// Nobody takes the places of others.
		expect(await errorOf(await one())).toEqual([429, "TOO_MANY_REQUESTS"]);
		const running = [held, await two()];
		const refused = await three();
		expect(refused.headers.get("retry-after")).toBe("30");
		expect(await errorOf(refused)).toEqual([429, "TOO_MANY_REQUESTS"]);
		for (const { body } of notEmpty(running)) await body?.cancel();
		const next = await three();
		expect(next.status).toBe(200);
		await next.arrayBuffer();
		expect(service.log()).toContain("the export of a tenant is not complete");
	});

	test("does not end the service if it fails while nobody reads it", async () => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		onTestFinished(() => void vi.useRealTimers());
		const failed = new Error("a row cannot be read");
		const source = new ReadableStream<Uint8Array>({
			start: (controller) => controller.error(failed),
		});
		const unhandled: unknown[] = [];
		const note = (error: unknown) => void unhandled.push(error);
		process.on("unhandledRejection", note);
		onTestFinished(() => void process.off("unhandledRejection", note));
		const ended: unknown[] = [];
		const file = download(source, (error) => ended.push(error));
		await vi.advanceTimersByTimeAsync(60_000);
		await expect(file.getReader().read()).rejects.toThrow(
			"the client takes too little of the file",
		);
		expect(ended).toEqual([new Error("the client takes too little of the file")]);
		await new Promise(setImmediate);
		expect(unhandled).toEqual([]);
	});

	test("ends if the client takes it too slowly, though never nothing", async () => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
		onTestFinished(() => void vi.useRealTimers());
		const source = new ReadableStream<Uint8Array>({
			pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
		});
		const reader = download(source, () => {}).getReader();
		const readSlowly = async () => {
			for (;;) {
				await reader.read();
				await vi.advanceTimersByTimeAsync(50_000);
			}
		};
		await expect(readSlowly()).rejects.toThrow("the client takes too little of the file");
	});

	test("costs whoever guesses its password as much as a file of the program age", async () => {
		const lines = async function* () {
			yield "a line";
		};
		const file = await encryptLines(lines(), password);
		const header = Buffer.from(await new Response(file).arrayBuffer()).toString("latin1");
		expect(header).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S+ 18\n/);
	});
});

describe("who may export and import", () => {
	test.each(ROLES)("an operator with the role %s, only if it is owner", async (role) => {
		const service = await first();
		const { headers } = await newOperator(service, role, `${role}-of-files@example.com`);
		const { tenantId, file } = await exportedTenant(service);
		const exported = await exportFrom(service, headers, { tenantId, currentPassword });
		const isOwner = role === "owner";
		expect([exported.status, (await exported.arrayBuffer()).byteLength > 5000]).toEqual(
			isOwner ? [200, true] : [403, false],
		);
		const imported = await importInto(service, headers, file, { currentPassword });
		expect(await errorOf(imported)).toEqual(
			isOwner ? [409, "TENANT_ALREADY_EXISTS"] : [403, "TENANT_MANAGEMENT_NOT_ALLOWED"],
		);
	});

	test("a key with this scope, without a password", async () => {
		const service = await first();
		const { tenantId } = await exportedTenant(service);
		const other = await newTenant(service.post, newSlug());
		const { key } = await service.backend.auth.api.createOperatorKey({
			body: { name: "backup", scopes: ["tenant:export"], tenantId },
		});
		const headers = { authorization: `Bearer ${key}` };
		const exported = await exportFrom(service, headers, { tenantId });
		expect(exported.status).toBe(200);
		await exported.arrayBuffer();
		const refused = [403, "TENANT_MANAGEMENT_NOT_ALLOWED"];
		expect(await errorOf(await exportFrom(service, headers, { tenantId: other }))).toEqual(refused);
		expect(await errorOf(await importInto(service, headers, Buffer.from("none")))).toEqual(refused);
	});

	test("nobody else: not an owner of the tenant, not a page of another site", async () => {
		const service = await first();
		const { tenantId, user, file } = await exportedTenant(service);
		const { backend, baseUrl } = service;
		const users = await backend.auth.api.listTenantUsers({ query: { tenantId } });
		await backend.auth.api.updateTenantUser({
			body: { tenantId, userId: users[0]?.id ?? "", role: "owner" },
		});
		const signedIn = await service.post("/tenant/sign-in/email", { ...user, tenantId });
		const owner = await newOperator(service, "owner", "other-site@example.com");
		const callers: [Headers, number][] = [
			[{}, 401],
			[{ cookie: cookiesOf(signedIn), origin: baseUrl }, 403],
			[{ cookie: owner.cookie, origin: "https://evil.example" }, 403],
			[{ authorization: "Bearer tak_wrong" }, 403],
		];
		for (const [headers, status] of notEmpty(callers)) {
			const own = { currentPassword: user.password };
			const exported = await exportFrom(service, headers, { tenantId, ...own });
			const imported = await importInto(service, headers, file, own);
			expect([exported.status, imported.status]).toEqual([status, status]);
		}
		expect(await eventsOf(service, tenantId, "app:export-tenant")).toHaveLength(1);
	});
});

describe("the import of a tenant by an operator", () => {
	test("moves a tenant into another service, with counts, suspended until it is resumed", async () => {
		const [from, to] = [await first(), await second()];
		const { tenantId, slug, user, file } = await exportedTenant(from, 3);
		const owner = await newOperator(to, "owner", "importer@example.com");
		const response = await importInto(to, owner.headers, file, { currentPassword });
		expect(response.headers.get("cache-control")).toBe("no-store");
		expect(await response.json()).toMatchObject({
			...{ tenantId, slug, existing: 0 },
			tables: { user: 3, account: 3 },
		});
		const body = { tenantId, email: user.email, password: user.password };
		const signIn = () => to.backend.auth.api.signInEmailTenant({ body });
		await expect(signIn()).rejects.toMatchObject({ body: { code: "TENANT_SUSPENDED" } });
		await to.post("/tenant/resume", { tenantId }, asManager);
		expect((await signIn()).user).toMatchObject({ email: user.email });
		const [event] = await eventsOf(to, tenantId, "app:import-tenant");
		expect(event).toMatchObject({
			actor: { kind: "administrator", id: owner.id },
			detail: { existing: 0 },
		});
		expect(to.log()).not.toContain(password);
		const again = await importInto(to, asManager, file);
		expect(await errorOf(again)).toEqual([409, "TENANT_ALREADY_EXISTS"]);
	});

	test("refuses a wrong password and a damaged file, and imports nothing", async () => {
		const [from, to] = [await first(), await second()];
		const { tenantId, file } = await exportedTenant(from);
		const flipped = Buffer.from(file);
		flipped.writeUInt8(flipped.readUInt8(300) ^ 1, 300);
		const other = new Encrypter();
		other.setPassphrase(password);
		other.setScryptWorkFactor(2);
		const nothing = await other.encrypt("not a tenant\n");
		const cases: [Uint8Array, object, unknown][] = [
			[file, { password: "another password" }, [400, "FILE_NOT_DECRYPTED"]],
			[flipped, {}, [400, "FILE_DAMAGED"]],
			[file.subarray(0, 100), {}, [400, "FILE_DAMAGED"]],
			[randomBytes(2000), {}, [400, "FILE_DAMAGED"]],
			[Buffer.from(""), {}, [400, "FILE_DAMAGED"]],
			[nothing, {}, [400, "TENANT_FILE_REFUSED"]],
			[file, { slug: "other" }, [400, "VALIDATION_ERROR"]],
		];
		for (const [bytes, settings, expected] of notEmpty(cases)) {
			expect(await errorOf(await importInto(to, asManager, bytes, settings))).toEqual(expected);
		}
		expect(await findTenant(to, tenantId)).toBeNull();
		const owner = await newOperator(to, "owner", "mistyped@example.com");
		const settings = { currentPassword: "a wrong password" };
		const mistyped = await importInto(to, owner.headers, file, settings);
		expect(await errorOf(mistyped)).toEqual([400, "INVALID_PASSWORD"]);
	});

	test("reads no header that does not end", async () => {
		let chunks = 0;
		const zeros = new ReadableStream<Uint8Array>({
			pull: (controller) => {
				chunks += 1;
				if (chunks <= 100) controller.enqueue(new Uint8Array(1024));
				else controller.close();
			},
		});
		await expect(decryptLines(zeros, password).next()).rejects.toMatchObject({
			body: { code: "FILE_DAMAGED" },
		});
		expect(chunks).toBeLessThan(10);
	});

	test("continues where a file was cut off, when it gets the whole file", async () => {
		const [from, to] = [await first(), await second()];
		// A part of the file can be read only when the next one begins.
		const { tenantId, file } = await exportedTenant(from, 130);
		expect(file.length).toBeGreaterThan(70_000);
		const cut = await importInto(to, asManager, file.subarray(0, -1000));
		expect(await errorOf(cut)).toEqual([400, "FILE_DAMAGED"]);
		expect(await findTenant(to, tenantId)).toMatchObject({ suspendedAt: expect.any(String) });
		// Who has begun it is known all the same.
		expect(await eventsOf(to, tenantId, "app:start-tenant-import")).toMatchObject([
			{ actor: { kind: "key" } },
		]);
		expect(await eventsOf(to, tenantId, "app:import-tenant")).toEqual([]);
		const whole = await importInto(to, asManager, file);
		const report = (await whole.json()) as { written: number; existing: number };
		expect(report).toMatchObject({ tables: { user: 130 } });
		expect(report.existing).toBeGreaterThan(0);
	});

	test("says that the slug belongs to another tenant, and takes it from a deleted one if asked", async () => {
		const [from, to] = [await first(), await second()];
		const { slug, file } = await exportedTenant(from);
		const tenantId = await newTenant(to.post, slug);
		const refused = await importInto(to, asManager, file);
		expect(await errorOf(refused)).toEqual([409, "TENANT_ALREADY_EXISTS"]);
		await to.post("/tenant/delete", { tenantId }, asManager);
		const reserved = await importInto(to, asManager, file);
		expect(await errorOf(reserved)).toEqual([409, "TENANT_ALREADY_EXISTS"]);
		const released = await importInto(to, asManager, file, { releaseSlug: true });
		expect(released.status).toBe(200);
	});

	test("over a connection, reads a file that is larger than other bodies, and ends with the client", async () => {
		const [from, to] = [await first(), await second()];
		const { slug, file, tenantId } = await exportedTenant(from);
		const listener = await listen("127.0.0.1", 0);
		onTestFinished(() => listener.close());
		listener.serve(to.app.fetch as Parameters<typeof listener.serve>[0], to.gate);
		const url = `http://127.0.0.1:${listener.port}/service/tenant-file/import`;
		const send = (body: ReadableStream | Uint8Array, more: RequestInit = {}) =>
			fetch(url, {
				method: "POST",
				headers: asManager,
				body: body as BodyInit,
				duplex: "half",
				...more,
			} as RequestInit);

		// The refusal arrives although the client has much more to send.
		const large = importBody(randomBytes(20 * 1024 * 1024));
		expect(await errorOf(await send(large))).toEqual([400, "FILE_DAMAGED"]);
		const stranger = await fetch(url, { method: "POST", body: large });
		expect(stranger.status).toBe(401);

		const gone = new AbortController();
		const endless = new ReadableStream({
			start: (controller) => {
				controller.enqueue(importBody(file.subarray(0, -10)));
			},
		});
		const interrupted = send(endless, { signal: gone.signal });
		await expect
			.poll(async () => (await to.backend.metrics.text()).match(/\{state="running"\} 1/))
			.toBeTruthy();
		gone.abort();
		await expect(interrupted).rejects.toThrow();
		await expect
			.poll(async () => (await to.backend.metrics.text()).match(/\{state="running"\} 0/))
			.toBeTruthy();
		expect(await eventsOf(to, tenantId, "app:import-tenant")).toEqual([]);

		const complete = new ReadableStream({
			start: (controller) => {
				for (const part of [importBody(file.subarray(0, 100)), file.subarray(100)]) {
					controller.enqueue(part);
				}
				controller.close();
			},
		});
		expect(await (await send(complete)).json()).toMatchObject({ slug });
	});
});
