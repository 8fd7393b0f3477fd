# Of what is installed:
# FSM::fsm is libfsm.so with the header fsm-c/fsm.h; FSM::Builder builds kernels in C++ and needs nothing else.
# FSM::runtime is libfsm-runtime.so with fsm-c/fsm-runtime.h, for kernels that were compiled before; FSM::runtime-static
# is the same as an archive.
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/../../libfsm.so)
  include(${CMAKE_CURRENT_LIST_DIR}/FSMTargets.cmake)
endif()
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/../../libfsm-runtime.so)
  include(${CMAKE_CURRENT_LIST_DIR}/FSMRuntimeTargets.cmake)
endif()
