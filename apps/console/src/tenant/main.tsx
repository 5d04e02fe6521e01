import "../design/index.css";
import "./tenant.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyTheme } from "../ui/theme";
import { createTenantQueryClient, TenantApp } from "./TenantApp";
import { readPageLocation } from "./tenant-context";
import { loadTexts } from "./texts/load";

const location = readPageLocation();
const texts = await loadTexts(document.documentElement);

applyTheme();
createRoot(document.getElementById("root") as HTMLElement).render(
	<StrictMode>
		<TenantApp queryClient={createTenantQueryClient()} location={location} texts={texts} />
	</StrictMode>,
);
