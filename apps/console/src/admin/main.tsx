import "../design/index.css";
import "../operator/operator.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router";
import { hasCode } from "../api/client";
import { createQueryClient } from "../api/query-client";
import { AUDIT_KEY } from "../operator/api/service";
import { CrashPage } from "../operator/layout";
import { tenantRoutes } from "../operator/tenants/tenant-pages";
import { readPageLocation } from "../tenant/tenant-context";
import { ToastProvider } from "../ui/Toast";
import { applyTheme } from "../ui/theme";
import { AdminGate } from "./AdminGate";
import { AdminLayout, NotFoundPage } from "./AdminLayout";
import { PERMISSIONS_KEY } from "./permissions";

/** The role can change, the session can end, and the tenant can be suspended while the page is open. */
const checkPermissions = (error: Error) => {
	if (hasCode(error, "TENANT_MANAGEMENT_NOT_ALLOWED", "ROLE_NOT_ALLOWED", "TENANT_NOT_FOUND")) {
		void queryClient.invalidateQueries({ queryKey: PERMISSIONS_KEY });
	}
};

const queryClient = createQueryClient({
	onQueryError: checkPermissions,
	onMutationError: checkPermissions,
	// Every change writes an audit event.
	onMutationSuccess: () => void queryClient.invalidateQueries({ queryKey: AUDIT_KEY }),
});

const place = readPageLocation();

const router = createBrowserRouter(
	[
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
	],
	{ basename: `${place.base}/admin` },
);

applyTheme();
createRoot(document.getElementById("root") as HTMLElement).render(
	<StrictMode>
		<QueryClientProvider client={queryClient}>
			<ToastProvider>
				<RouterProvider router={router} />
			</ToastProvider>
		</QueryClientProvider>
	</StrictMode>,
);
