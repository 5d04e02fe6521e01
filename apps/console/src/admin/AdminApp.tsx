import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type DataRouter, RouterProvider } from "react-router";
import { hasCode } from "../api/client";
import { createQueryClient } from "../api/query-client";
import { AUDIT_KEY } from "../operator/api/service";
import { ToastProvider } from "../ui/Toast";
import { PERMISSIONS_KEY } from "./permissions";

export function createAdminQueryClient(): QueryClient {
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
	return queryClient;
}

type AdminAppProps = { queryClient: QueryClient; router: DataRouter };

/** The pages for a tenant's own administrators. */
export function AdminApp({ queryClient, router }: AdminAppProps) {
	return (
		<QueryClientProvider client={queryClient}>
			<ToastProvider>
				<RouterProvider router={router} />
			</ToastProvider>
		</QueryClientProvider>
	);
}
