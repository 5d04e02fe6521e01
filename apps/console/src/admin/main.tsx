import "../design/index.css";
import "../operator/operator.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter } from "react-router";
import { readPageLocation } from "../api/page-location";
import { applyTheme } from "../ui/theme";
import { AdminApp, createAdminQueryClient } from "./AdminApp";
import { adminRoutes } from "./routes";

const place = readPageLocation();

applyTheme();
createRoot(document.getElementById("root") as HTMLElement).render(
	<StrictMode>
		<AdminApp
			queryClient={createAdminQueryClient()}
			router={createBrowserRouter(adminRoutes(place), { basename: `${place.base}/admin` })}
		/>
	</StrictMode>,
);
