import { readPageLocation } from "../../src/api/page-location";
import { en } from "../../src/sign-in/texts/en";
import { createTenantQueryClient, TenantApp } from "../../src/tenant/TenantApp";
import { json } from "./answers";
import { type FakeServer, fakeServer, type Handlers } from "./fake-server";
import { loginOptions } from "./fixtures/login-options";
import { mount } from "./mount";

/** Pages load their scripts when they are opened. The clock of a test does not wait for files. */
import.meta.glob(["../../src/tenant/**/*.tsx", "!../../src/tenant/main.tsx"], { eager: true });

/** A healthy service. Nobody is signed in. */
const HANDLERS: Handlers = {
	"GET /tenant/login-options": json(loginOptions),
	"GET /get-session": json(null),
	"GET /sign-up-fields/list": json({ fields: [] }),
};

/** What the server writes into the page. */
const META = {
	"tenant-slug": "acme",
	"tenant-base": "/t/acme",
	"callback-url": "",
	"suspended-tenant": "",
	"admin-pages": "yes",
	saml: "",
	captcha: "",
	"email-codes": "",
};

/** Opens one of Acme's pages for its users, such as `/sign-in`. */
export async function openTenantPage(
	path: string,
	handlers: Handlers = {},
	meta: Partial<typeof META> = {},
): Promise<FakeServer> {
	const server = fakeServer({ ...HANDLERS, ...handlers });
	const queryClient = createTenantQueryClient();
	await mount({
		path: `/t/acme${path}`,
		queryClient,
		meta: { ...META, ...meta },
		app: () => ({
			element: <TenantApp queryClient={queryClient} location={readPageLocation()} texts={en} />,
		}),
	});
	return server;
}

/** Opens a page of the service that belongs to no tenant, such as `/error`. */
export async function openServicePage(path: string, handlers: Handlers = {}): Promise<FakeServer> {
	const server = fakeServer(handlers);
	const queryClient = createTenantQueryClient();
	await mount({
		path,
		queryClient,
		meta: { ...META, "tenant-slug": "", "tenant-base": "", "admin-pages": "" },
		app: () => ({
			element: <TenantApp queryClient={queryClient} location={readPageLocation()} texts={en} />,
		}),
	});
	return server;
}
