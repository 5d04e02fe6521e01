import "../design/index.css";
import "../sign-in/sign-in.css";
import "./tenant.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { readPageLocation } from "../api/page-location";
import { loadPageTexts } from "../sign-in/texts/load";
import { applyTheme } from "../ui/theme";
import { createTenantQueryClient, TenantApp } from "./TenantApp";

const location = readPageLocation();
const texts = await loadPageTexts(document.documentElement);

applyTheme();
createRoot(document.getElementById("root") as HTMLElement).render(
	<StrictMode>
		<TenantApp queryClient={createTenantQueryClient()} location={location} texts={texts} />
	</StrictMode>,
);
