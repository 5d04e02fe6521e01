import { useState } from "react";
import { providerOf } from "../../providers";
import { Button } from "../../ui/Button";
import { ProviderMark } from "../../ui/ProviderMark";
import type { EffectiveProvider } from "../api/providers";
import type { Tenant } from "../api/tenants";
import { CredentialsDialog } from "./CredentialsDialog";

type AvailableProviderProps = { tenant: Tenant; provider: EffectiveProvider };

/** A provider that nobody can sign in with yet. */
export function AvailableProvider({ tenant, provider }: AvailableProviderProps) {
	const [isOpen, setOpen] = useState(false);
	const { name } = providerOf(provider.providerId);
	return (
		<li>
			<Button
				className="available-provider"
				wide
				icon={<ProviderMark providerId={provider.providerId} />}
				onClick={() => setOpen(true)}
			>
				<span>
					<span className="visually-hidden">Set up </span>
					{name}
				</span>
			</Button>
			<CredentialsDialog
				tenant={tenant}
				provider={provider}
				config={undefined}
				open={isOpen}
				onClose={() => setOpen(false)}
			/>
		</li>
	);
}
