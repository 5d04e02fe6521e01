import { Switch } from "../../ui/Switch";
import { useToast } from "../../ui/Toast";
import { type EffectiveProvider, switchConfig } from "../api/providers";
import type { Tenant } from "../api/tenants";
import { useChange } from "../change";
import { configsKey, providersKey } from "./providers-key";

type EnableSwitchProps = { tenant: Tenant; provider: EffectiveProvider; name: string };

export function EnableSwitch({ tenant, provider, name }: EnableSwitchProps) {
	const { providerId, config } = provider;
	const toast = useToast();
	const isEnabled = config !== "disabled";
	const change = useChange({
		change: (enabled: boolean) => switchConfig(tenant.id, providerId, enabled),
		said: `${name} is switched ${isEnabled ? "off" : "on"}.`,
		refresh: [providersKey(tenant.id), configsKey(tenant.id)],
	});
	return (
		<Switch
			label={`Use the tenant's client for ${name}`}
			hideLabel
			checked={change.isPending ? !isEnabled : isEnabled}
			onChange={(enabled) =>
				change.mutate(enabled, { onError: ({ message }) => toast(message, "danger") })
			}
		/>
	);
}
