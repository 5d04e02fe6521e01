import type { RouteObject } from "react-router";
import { CrashPage } from "../operator/layout";
import { tenantRoutes } from "../operator/tenants/tenant-pages";
import type { PageLocation } from "../tenant/tenant-context";
import { AdminGate } from "./AdminGate";
import { AdminLayout, NotFoundPage } from "./AdminLayout";

export const adminRoutes = (place: PageLocation): RouteObject[] => [
	{
		path: "/",
		element: <AdminGate place={place} />,
		errorElement: <CrashPage />,
		children: [
			{
				element: <AdminLayout />,
				children: [...tenantRoutes, { path: "*", element: <NotFoundPage /> }],
			},
		],
	},
];
