import { createBrowserRouter } from "react-router";
import { AdminApp, createAdminQueryClient } from "../../src/admin/AdminApp";
import { adminRoutes } from "../../src/admin/routes";
import { readPageLocation } from "../../src/api/page-location";
import { json, list } from "./answers";
import { type FakeServer, fakeServer, type Handlers } from "./fake-server";
import { permissionsOf } from "./fixtures/admins";
import { loginOptions } from "./fixtures/login-options";
import { serviceInfo } from "./fixtures/service";
import { adasSession } from "./fixtures/sessions";
import { acme } from "./fixtures/tenants";
import { mount } from "./mount";

/** A healthy service, and an owner of Acme who is signed in. */
const HANDLERS: Handlers = {
	"GET /tenant/login-options": json(loginOptions),
	"GET /tenant/permissions": json(permissionsOf("owner")),
	"GET /tenant/get": json(acme),
	"GET /get-session": json(adasSession),
	"GET /tenant/grant/list": json([]),
	"GET /tenant/audit/list": list([]),
	"GET /tenant/sign-in/list": list([]),
	"GET /tenant/application/list": json([]),
	"GET /tenant/sign-up-fields/get": json({ fields: [] }),
	"GET /tenant/user-metadata/get": json({ metadata: {}, preferences: {} }),
};

/** What the server writes into the page. */
const META = {
	"tenant-slug": "acme",
	"tenant-base": "/t/acme",
	"suspended-tenant": "",
	"service-info": JSON.stringify(serviceInfo),
};

/** Opens one of the pages for Acme's own administrators, such as `/users`. */
export async function openAdminPage(
	path: string,
	handlers: Handlers = {},
	meta: Partial<typeof META> = {},
): Promise<FakeServer> {
	const server = fakeServer({ ...HANDLERS, ...handlers });
	const queryClient = createAdminQueryClient();
	await mount({
		path: `/t/acme/admin${path}`,
		queryClient,
		meta: { ...META, ...meta },
		app: () => {
			const place = readPageLocation();
			const router = createBrowserRouter(adminRoutes(place), { basename: `${place.base}/admin` });
			const element = <AdminApp queryClient={queryClient} router={router} />;
			return { element, dispose: () => router.dispose() };
		},
	});
	return server;
}
