import type { RouteObject } from "react-router";
import type { PageLocation } from "../api/page-location";
import { CrashPage } from "../operator/layout";
import { tenantRoutes } from "../operator/shell/tenant-pages";
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
