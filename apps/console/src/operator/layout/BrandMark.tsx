import icon from "../../design/icon.svg";

export function BrandMark() {
	return <img className="brand-mark" src={icon} alt="" width="36" height="36" />;
}
