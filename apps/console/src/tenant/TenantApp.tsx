import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { BrowserRouter } from "react-router";
import { hasCode } from "../api/client";
import { LOGIN_OPTIONS_KEY } from "../api/login-options";
import type { PageLocation } from "../api/page-location";
import { createQueryClient } from "../api/query-client";
import type { Texts } from "../sign-in/texts/en";
import { TextsProvider } from "../sign-in/texts/TextsProvider";
import { ToastProvider } from "../ui/Toast";
import { TenantRoutes } from "./routes";
import { TenantGate } from "./TenantGate";

export function createTenantQueryClient(): QueryClient {
	const queryClient = createQueryClient({
		// The tenant may be suspended or deleted while the page is open. `TenantGate` then says so.
		onMutationError: (error) => {
			if (hasCode(error, "TENANT_SUSPENDED", "TENANT_NOT_FOUND")) {
				void queryClient.invalidateQueries({ queryKey: LOGIN_OPTIONS_KEY });
			}
		},
	});
	return queryClient;
}

type TenantAppProps = { queryClient: QueryClient; location: PageLocation; texts: Texts };

/** The pages of one tenant for its users. */
export function TenantApp({ queryClient, location, texts }: TenantAppProps) {
	return (
		<TextsProvider texts={texts}>
			<QueryClientProvider client={queryClient}>
				<ToastProvider>
					<BrowserRouter basename={location.base || "/"}>
						<TenantGate location={location}>
							<TenantRoutes />
						</TenantGate>
					</BrowserRouter>
				</ToastProvider>
			</QueryClientProvider>
		</TextsProvider>
	);
}
