import { createBrowserRouter } from "react-router";
import { createOperatorQueryClient, OperatorApp } from "../../src/operator/OperatorApp";
import { routes } from "../../src/operator/routes";
import { json, list } from "./answers";
import { type FakeServer, fakeServer, type Handlers } from "./fake-server";
import { operatorWithRole } from "./fixtures/operators";
import { samlWithout } from "./fixtures/saml";
import { serviceInfo } from "./fixtures/service";
import { healthyService, noActivity } from "./fixtures/service-state";
import { acme } from "./fixtures/tenants";
import { mount } from "./mount";

/** A healthy service, and an owner who is signed in. */
const HANDLERS: Handlers = {
	"GET /operator/me": json(operatorWithRole("owner")),
	"GET /service/info": json(serviceInfo),
	"GET /service/health": json(healthyService),
	"GET /service/tenant-counts": json([]),
	"GET /service/tenant-activity": json(noActivity),
	"GET /tenant/get": json(acme),
	"GET /tenant/grant/list": json([]),
	"GET /tenant/saml/get": json(samlWithout),
	"GET /service/audit": list([]),
	"GET /tenant/sign-in/list": list([]),
	"GET /tenant/application/list": json([]),
	"GET /tenant/sign-up-fields/get": json({ fields: [] }),
	"GET /tenant/user-metadata/get": json({ metadata: {}, preferences: {} }),
};

/** Opens a page of the operators' console, such as `/tenants`. */
export async function openConsole(path: string, handlers: Handlers = {}): Promise<FakeServer> {
	const server = fakeServer({ ...HANDLERS, ...handlers });
	const queryClient = createOperatorQueryClient();
	await mount({
		path: `/console${path}`,
		queryClient,
		meta: { "application-name": "Tenant Auth" },
		app: () => {
			const router = createBrowserRouter(routes, { basename: "/console" });
			const element = <OperatorApp queryClient={queryClient} router={router} />;
			return { element, dispose: () => router.dispose() };
		},
	});
	return server;
}
