# Links every file of the package from the folder where the module is built: FROM, TO; and the shipped SCENES.
file(GLOB sources ${FROM}/*.py ${FROM}/*.pyi ${FROM}/py.typed)
foreach(source ${sources})
  get_filename_component(name ${source} NAME)
  file(CREATE_LINK ${source} ${TO}/${name} SYMBOLIC)
endforeach()
file(CREATE_LINK ${SCENES} ${TO}/scenes SYMBOLIC)
