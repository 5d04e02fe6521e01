import "../design/index.css";
import "./tenant.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { hasCode } from "../api/client";
import { createQueryClient } from "../api/query-client";
import { ToastProvider } from "../ui/Toast";
import { UiTextsContext } from "../ui/texts";
import { applyTheme } from "../ui/theme";
import { LOGIN_OPTIONS_KEY } from "./queries";
import { TenantRoutes } from "./routes";
import { TenantGate } from "./TenantGate";
import { readPageLocation } from "./tenant-context";
import { loadTexts } from "./texts/load";
import { TextsContext } from "./texts/texts";

const queryClient = createQueryClient({
	// The tenant may be suspended or deleted while the page is open. `TenantGate` then says so.
	onMutationError: (error) => {
		if (hasCode(error, "TENANT_SUSPENDED", "TENANT_NOT_FOUND")) {
			void queryClient.invalidateQueries({ queryKey: LOGIN_OPTIONS_KEY });
		}
	},
});
const location = readPageLocation();
const texts = await loadTexts(document.documentElement);

applyTheme();
createRoot(document.getElementById("root") as HTMLElement).render(
	<StrictMode>
		<TextsContext value={texts}>
			<UiTextsContext value={texts.ui}>
				<QueryClientProvider client={queryClient}>
					<ToastProvider>
						<BrowserRouter basename={location.base || "/"}>
							<TenantGate location={location}>
								<TenantRoutes />
							</TenantGate>
						</BrowserRouter>
					</ToastProvider>
				</QueryClientProvider>
			</UiTextsContext>
		</TextsContext>
	</StrictMode>,
);
