import DefaultTheme from "vitepress/theme";
import "./file-names.css";

export default DefaultTheme;
