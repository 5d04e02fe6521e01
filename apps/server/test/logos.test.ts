import { exportTenant, importTenant } from "better-auth-tenant/imports";
import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { logoCalls } from "./logo-calls";
import { newOperator } from "./operator-accounts";
import {
	asManager,
	cookiesOf,
	newSlug,
	newTenant,
	newUser,
	runningService,
	useService,
} from "./running-service";
import { jpeg, png, webp } from "./sample-images";
import { temporaryDirectory } from "./temporary-directory";

const shared = useService();

/** New tenants of a service that all tests share, or of one with settings of its own. */
async function withTenants(environment?: Record<string, string>) {
	const service = await (environment ? runningService(environment) : shared());
	const a = await newTenant(service.post, newSlug("acme"), {
		metadata: { plan: "gold", branding: { tagline: "Widgets" } },
	});
	const b = await newTenant(service.post, newSlug("globex"));
	return { ...service, ...logoCalls(service), a, b };
}

describe("an uploaded logo", () => {
	test("becomes the tenant's logo, at a public URL that never changes its content", async () => {
		const { a, upload, call, tenantOf } = await withTenants();
		const image = png();
		const { status, body } = await upload(a, image);
		expect(status).toBe(200);
		expect(body.logoUrl).toMatch(
			new RegExp(`^http://localhost:3000/logos/${a}/[\\da-f]{32}\\.png$`),
		);
		expect((await tenantOf(a)).metadata).toEqual({
			plan: "gold",
			branding: { tagline: "Widgets", logoUrl: body.logoUrl },
		});
		const options = await call(`/api/auth/tenant/login-options?tenantId=${a}`);
		expect(await options.json()).toMatchObject({ branding: { logoUrl: body.logoUrl } });

		const response = await call(body.logoUrl);
		expect(Buffer.from(await response.arrayBuffer())).toEqual(image);
		expect(Object.fromEntries(response.headers)).toMatchObject({
			"content-type": "image/png",
			"cache-control": "public, max-age=31536000, immutable",
			"x-content-type-options": "nosniff",
			"cross-origin-resource-policy": "cross-origin",
			"content-security-policy": "default-src 'none'; sandbox",
		});
		expect((await call(body.logoUrl, { method: "HEAD" })).status).toBe(200);
	});

	test("stays the logo if the URL of the service changes", async () => {
		const DATA_DIR = temporaryDirectory();
		const before = await withTenants({ DATA_DIR });
		const { logoUrl } = (await before.upload(before.a, png())).body;
		// As the console does, which sends what it has read.
		const { metadata } = await before.tenantOf(before.a);
		const update = { tenantId: before.a, metadata: { ...metadata, note: "saved again" } };
		await before.post("/tenant/update", update, asManager);
		await before.close();

		const BETTER_AUTH_URL = "https://login.example.com";
		const after = await runningService({ DATA_DIR, BETTER_AUTH_URL }, { keepsEmails: true });
		const moved = logoUrl.replace("http://localhost:3000", BETTER_AUTH_URL);
		const { tenantOf } = logoCalls(after);
		expect((await tenantOf(before.a)).metadata).toEqual({
			plan: "gold",
			branding: { tagline: "Widgets", logoUrl: moved },
			note: "saved again",
		});
		const options = await after.call(`/api/auth/tenant/login-options?tenantId=${before.a}`);
		expect(await options.json()).toMatchObject({ branding: { logoUrl: moved } });
		expect((await after.call(moved)).status).toBe(200);
		const headers = { "x-tenant-id": before.a };
		await after.post("/tenant/sign-up/email", newUser("ada@example.com"), headers);
		const reset = { email: "ada@example.com", redirectTo: "/" };
		await after.post("/request-password-reset", reset, headers);
		const [email] = (await after.backend.mailer.outbox?.list()) ?? [];
		expect(email?.html).toContain(`src="${moved}"`);
	});

	test("elsewhere keeps its URL", async () => {
		const { a, post, tenantOf } = await withTenants();
		const logoUrl = "https://cdn.example.com/logos/acme.png";
		const update = {
			tenantId: a,
			metadata: { branding: { logoUrl }, other: { logoUrl: "/logos/x" } },
		};
		await post("/tenant/update", update, asManager);
		expect((await tenantOf(a)).metadata).toEqual(update.metadata);
	});

	test.each([
		["png", png({ width: 2048, height: 1 })],
		["jpg", jpeg({ width: 300, height: 2000 })],
		["webp", webp.lossy({ width: 600, height: 400 })],
		["webp", webp.lossless({ width: 2048, height: 2048 })],
		["webp", webp.extended({ width: 100, height: 50 })],
	])("can be a %s image", async (kind, image) => {
		const { a, upload } = await withTenants();
		expect((await upload(a, image)).body.logoUrl).toMatch(new RegExp(`\\.${kind}$`));
	});

	const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
	test.each([
		["INVALID_LOGO", "a text", Buffer.from("hello")],
		["INVALID_LOGO", "an SVG", Buffer.from(svg)],
		["INVALID_LOGO", "a GIF", Buffer.from("GIF89a\x01\x00\x01\x00", "latin1")],
		["INVALID_LOGO", "HTML after the first byte of a PNG", Buffer.from("\x89<html>", "latin1")],
		["INVALID_LOGO", "a PNG that is cut off", png().subarray(0, 20)],
		["INVALID_LOGO", "a PNG without a width", png({ width: 0 })],
		["INVALID_LOGO", "a JPEG without a frame", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0])],
		["INVALID_LOGO", "a JPEG whose segment has no length", Buffer.alloc(64, 0xff).fill(0xd8, 1, 2)],
		["INVALID_LOGO", "nothing", ""],
		["INVALID_LOGO", "no Base64", "data:image/png;base64,AAAA"],
		["LOGO_TOO_LARGE", "too many pixels", png({ width: 2049 })],
		["LOGO_TOO_LARGE", "too many pixels", webp.extended({ height: 2 ** 24 })],
		["LOGO_TOO_LARGE", "too many bytes", Buffer.concat([png(), Buffer.alloc(256 * 1024)])],
	])("is refused with %s: %s", async (code, _, image) => {
		const { a, upload, tenantOf } = await withTenants();
		const before = await tenantOf(a);
		const { status, body } = await upload(a, image);
		expect([status, body.code]).toEqual([400, code]);
		expect(await tenantOf(a)).toEqual(before);
	});

	test("is refused where no page could show it", async () => {
		const { a, upload } = await withTenants({ BETTER_AUTH_URL: "http://auth.intern" });
		const { status, body } = await upload(a, png());
		expect([status, body.code]).toEqual([409, "LOGO_NEEDS_HTTPS"]);
	});

	test("is deleted when another one replaces it, and when the branding does not name it", async () => {
		const { a, upload, post, call } = await withTenants();
		const first = (await upload(a, png())).body.logoUrl;
		const second = (await upload(a, png({ width: 9 }))).body.logoUrl;
		expect((await call(first)).status).toBe(404);
		expect((await call(second)).status).toBe(200);

		const update = (changes: object) =>
			post("/tenant/update", { tenantId: a, ...changes }, asManager);
		await update({ name: "Acme Ltd" });
		await update({ metadata: { branding: { logoUrl: second, tagline: "New" } } });
		expect((await call(second)).status).toBe(200);
		await update({ metadata: { branding: { logoUrl: "https://cdn.example.com/logo.png" } } });
		expect((await call(second)).status).toBe(404);
	});

	test("is deleted with its tenant", async () => {
		const { a, b, upload, post, call, backend } = await withTenants({});
		const [ofA, ofB] = [await upload(a, png()), await upload(b, png())];
		await post("/tenant/suspend", { tenantId: a }, asManager);
		expect((await call(ofA.body.logoUrl)).status).toBe(200);
		await post("/tenant/delete", { tenantId: a }, asManager);
		expect((await call(ofA.body.logoUrl)).status).toBe(404);
		expect((await call(ofB.body.logoUrl)).status).toBe(200);
		const { rows } = await backend.database.db.executeQuery<{ hash: string }>(
			backend.database.db
				.selectFrom("tenantLogo" as never)
				.selectAll()
				.compile(),
		);
		expect(rows).toHaveLength(1);
	});

	test("is found with its own tenant and its own type only", async () => {
		const { a, b, upload, call } = await withTenants();
		const { logoUrl } = (await upload(a, png())).body;
		const hash = /[\da-f]{32}/.exec(logoUrl)?.[0];
		const paths = [
			`/logos/${b}/${hash}.png`,
			`/logos/${a}/${hash}.jpg`,
			`/logos/${a}/${hash}.svg`,
			`/logos/${a}/${"0".repeat(32)}.png`,
			`/logos/${a}/`,
			`/logos/nobody/${hash}.png`,
			`/logos/%00/${hash}.png`,
			`/logos/${"x".repeat(300)}/${hash}.png`,
			`/logos/${a}/${hash}.png%00`,
			`/logos/${a}%2F..%2F${b}/${hash}.png`,
		];
		for (const path of notEmpty(paths))
			expect([path, (await call(path)).status]).toEqual([path, 404]);
	});
});

describe("a logo for dark pages and an icon", () => {
	test("are uploaded beside the logo, and each replaces only its own kind", async () => {
		const { a, uploadTo, tenantOf, call } = await withTenants();
		const statusOf = async (url: string) => (await call(url)).status;
		const logoUrl = await uploadTo("logoUrl", a, png({ width: 1 }));
		const first = await uploadTo("darkLogoUrl", a, png({ width: 2 }));
		const faviconUrl = await uploadTo("faviconUrl", a, png({ width: 3 }));
		const darkLogoUrl = await uploadTo("darkLogoUrl", a, jpeg());
		expect((await tenantOf(a)).metadata).toEqual({
			plan: "gold",
			branding: { tagline: "Widgets", logoUrl, darkLogoUrl, faviconUrl },
		});
		expect(await Promise.all([logoUrl, darkLogoUrl, faviconUrl].map(statusOf))).toEqual([
			200, 200, 200,
		]);
		expect(await statusOf(first)).toBe(404);
		const options = await call(`/api/auth/tenant/login-options?tenantId=${a}`);
		expect(await options.json()).toMatchObject({ branding: { darkLogoUrl, faviconUrl } });
	});

	test("can be the same image, which stays until nothing names it", async () => {
		const { a, uploadTo, post, call } = await withTenants();
		const logoUrl = await uploadTo("logoUrl", a, png());
		const faviconUrl = await uploadTo("faviconUrl", a, png());
		expect(faviconUrl).toBe(logoUrl);
		const update = (branding: object) =>
			post("/tenant/update", { tenantId: a, metadata: { branding } }, asManager);
		await update({ faviconUrl });
		expect((await call(logoUrl)).status).toBe(200);
		await update({});
		expect((await call(logoUrl)).status).toBe(404);
	});

	test("are not kept by another field of the branding, so a tenant stores three at most", async () => {
		const { a, uploadTo, post, call } = await withTenants();
		const logoUrl = await uploadTo("logoUrl", a, png());
		const metadata = { branding: { old: logoUrl, logoUrl: "https://acme.example/logo.png" } };
		await post("/tenant/update", { tenantId: a, metadata }, asManager);
		expect((await call(logoUrl)).status).toBe(404);
	});

	test("are kept by a URL that is theirs, and not by one that lists many of them", async () => {
		const { a, uploadTo, post, call } = await withTenants();
		const urls = [];
		for (const width of [1, 2, 3]) urls.push(await uploadTo("logoUrl", a, png({ width })));
		const names = urls.map((url) => url.split("/").pop()).join("/");
		const metadata = { branding: { darkLogoUrl: `https://acme.example/${names}` } };
		await post("/tenant/update", { tenantId: a, metadata }, asManager);
		for (const width of notEmpty([1, 2, 3])) await uploadTo("logoUrl", a, png({ width }));
		const found = await Promise.all(urls.map(async (url) => (await call(url)).status));
		expect(found).toEqual([404, 404, 200]);
	});

	test.each(["termsUrl", "tagline", "__proto__", "", 1])(
		"are the only other fields: %s is refused",
		async (field) => {
			const { a, post, tenantOf } = await withTenants();
			const before = await tenantOf(a);
			const image = png().toString("base64");
			const response = await post("/tenant/logo/upload", { tenantId: a, image, field }, asManager);
			expect(response.status).toBe(400);
			expect(await tenantOf(a)).toEqual(before);
		},
	);

	test("are in the audit log under their own names", async () => {
		const { a, uploadTo, call } = await withTenants();
		const darkLogo = await uploadTo("darkLogoUrl", a, png());
		const favicon = await uploadTo("faviconUrl", a, png());
		const path = `/api/auth/tenant/audit/list?tenantId=${a}`;
		const response = await call(path, { headers: asManager });
		const events = (await response.json()) as { detail: object | null }[];
		expect(events.slice(0, 2).map(({ detail }) => detail)).toEqual([{ favicon }, { darkLogo }]);
	});

	test("move with their tenant to another service", async () => {
		const from = await withTenants({});
		for (const field of ["logoUrl", "darkLogoUrl", "faviconUrl"] as const)
			await from.uploadTo(field, from.a, png({ width: field.length }));
		const to = await runningService({});
		await importTenant(to.backend.auth, exportTenant(from.backend.auth, from.a));
		const { metadata } = await logoCalls(to).tenantOf(from.a);
		const { tagline: _, ...images } = { tagline: "", ...metadata?.branding };
		expect(Object.keys(images)).toEqual(["logoUrl", "darkLogoUrl", "faviconUrl"]);
		for (const url of notEmpty(Object.values(images))) {
			expect((await to.call(new URL(url).pathname)).status).toBe(200);
		}
	});
});

describe("who may upload a logo", () => {
	test("operators who may change tenants, and nobody without credentials", async () => {
		const service = await withTenants();
		const { a, upload } = service;
		expect((await upload(a, png(), {})).status).toBe(401);
		const operator = await newOperator(service, "operator");
		const auditor = await newOperator(service, "auditor");
		expect((await upload(a, png(), auditor.headers)).status).toBe(403);
		expect((await upload(a, png(), operator.headers)).status).toBe(200);
	});

	test("the owner of a tenant in the own tenant, and no member", async () => {
		const service = await withTenants();
		const { a, b, upload, post, call, tenantOf } = service;
		const signedUp = await post("/tenant/sign-up/email", newUser("ada@example.com"), {
			"x-tenant-id": a,
		});
		const headers = { cookie: cookiesOf(signedUp), origin: service.baseUrl };
		const { user } = (await signedUp.json()) as { user: { id: string } };
		expect((await upload(a, png(), headers)).body.code).toBe("TENANT_MANAGEMENT_NOT_ALLOWED");
		await post("/tenant/user/update", { tenantId: a, userId: user.id, role: "owner" }, asManager);
		const { logoUrl } = (await upload(b, png({ width: 9 }))).body;

		expect((await upload(a, png(), headers)).status).toBe(200);
		expect((await upload(b, png(), headers)).status).toBe(403);
		const remove = { tenantId: b, metadata: { branding: {} } };
		expect((await post("/tenant/update", remove, headers)).status).toBe(403);
		expect((await call(logoUrl)).status).toBe(200);
		expect((await tenantOf(b)).metadata).toEqual({ branding: { logoUrl } });
		// The app's own metadata of the tenant is kept.
		expect((await tenantOf(a)).metadata).toMatchObject({ plan: "gold" });
	});

	test("a key of another tenant may not", async () => {
		const { a, b, upload, post } = await withTenants();
		const key = { name: "ci", scopes: ["tenant:update"], tenantId: b };
		const created = await post("/operator/key/create", key, asManager);
		const headers = { authorization: `Bearer ${((await created.json()) as { key: string }).key}` };
		expect((await upload(a, png(), headers)).status).toBe(403);
		expect((await upload(b, png(), headers)).status).toBe(200);
	});

	test("the audit log says who did it", async () => {
		const { a, upload, call } = await withTenants();
		const { logoUrl } = (await upload(a, png())).body;
		const response = await call(`/api/auth/tenant/audit/list?tenantId=${a}`, {
			headers: asManager,
		});
		const [event] = (await response.json()) as object[];
		expect(event).toMatchObject({
			action: "tenant:update",
			actor: { kind: "key" },
			detail: { logo: logoUrl },
		});
	});
});
